import { Plus, Table2 } from '../../icons/icons.generated.ts'
import { lazy, Suspense, useMemo, useRef } from 'react'
import { Link } from 'wouter'
import { isDenied } from '../../api/api.ts'
import { readDenial } from '../../api/denial.ts'
import { useInfo } from '../../api/queries.ts'
import { isOnDemand, keyNames, schemaKeys } from '../../api/table-facts.ts'
import { useCommands } from '../../commands/commands.ts'
import { Badge, StatusBadge } from '../../components/values/badge.tsx'
import { Button } from '../../components/controls/button.tsx'
import { DataGrid } from '../../components/grid/data-grid.tsx'
import type { GridColumn } from '../../components/grid/grid-column.ts'
import { TextInput } from '../../components/controls/field.tsx'
import { EmptyState, ErrorBox, Notice, Skeleton } from '../../components/messages/notices.tsx'
import { OpenByName } from '../../components/page/open-by-name.tsx'
import { Page } from '../../components/page/page.tsx'
import { TableLinks } from '../../components/page/table-links.tsx'
import { Tabs } from '../../components/controls/tabs.tsx'
import { useGo, useLink } from '../../state/links.ts'
import { flag, oneOf, text, useUrlState } from '../../state/url-state.ts'
import { formatBytes, formatCount, plural } from '../../values/format.ts'
import { BackupList } from './backup-list.tsx'
import { indexCount, sortColumns, sortSummaries } from './sort-summaries.ts'
import { hasRecovery, useTableSummaries, type DeniedTable, type TableSummary } from './table-summaries.ts'
import './tables.css'

const Imports = lazy(() =>
  import('./transfers/imports.tsx').then(({ Imports: component }) => ({ default: component })),
)
const CreateTable = lazy(() => import('./create/create-table.tsx'))

const schema = {
  filter: text(),
  sort: oneOf(sortColumns, 'name'),
  desc: flag(),
  create: flag(),
  tab: oneOf(['tables', 'backups', 'imports'], 'tables'),
}

export function TableList() {
  const { data, error, refetch } = useTableSummaries()
  const summaries = data?.tables
  const denied = data?.denied ?? []
  const [state, setState] = useUrlState(schema)
  const isReadOnly = useInfo()?.readOnly === true
  useCommands(
    useMemo(
      () =>
        isReadOnly
          ? []
          : [
              {
                id: 'create-table',
                title: 'Create a table',
                group: 'Tables',
                shortcut: 'N',
                run: () => setState({ create: true }, { push: true }),
              },
            ],
      [setState, isReadOnly],
    ),
  )
  const create = (
    <Button tone="primary" icon={<Plus />} onClick={() => setState({ create: true }, { push: true })}>
      Create table
    </Button>
  )
  return (
    <Page
      title="Tables"
      aside={summaries !== undefined && summaries.length > 0 && <Totals summaries={summaries} />}
      actions={!isReadOnly && create}
      layout="fill"
    >
      <Tabs
        label="Tables, backups and imports"
        value={state.tab}
        onChange={(tab) => setState({ tab }, { push: true })}
        tabs={[
          {
            value: 'tables',
            label: 'Tables',
            content:
              error !== null ? (
                <div className="tables-pad stack">
                  <ErrorBox error={error} onRetry={() => void refetch()} />
                  {isDenied(error) && <OpenByName view="tables" />}
                </div>
              ) : summaries === undefined ? (
                <div className="tables-pad">
                  <Skeleton lines={6} />
                </div>
              ) : summaries.length === 0 && denied.length === 0 ? (
                <NoTables action={isReadOnly ? undefined : create} />
              ) : (
                <>
                  <DeniedTables denied={denied} />
                  <Grid summaries={summaries} />
                </>
              ),
          },
          {
            value: 'backups',
            label: 'Backups',
            content: (
              <div className="tables-pad">
                <BackupList />
              </div>
            ),
          },
          {
            value: 'imports',
            label: 'Imports',
            content: (
              <div className="tables-pad">
                <Suspense fallback={<Skeleton />}>
                  <Imports />
                </Suspense>
              </div>
            ),
          },
        ]}
      />
      {state.create && (
        <Suspense>
          <CreateTable onClose={() => setState({ create: false })} />
        </Suspense>
      )}
    </Page>
  )
}

/** Tables that are there, and that whoever looks may not have described. */
function DeniedTables({ denied }: { readonly denied: readonly DeniedTable[] }) {
  const [first] = denied
  if (first === undefined) return null
  const denial = readDenial(first.message)
  const count = plural(denied.length, 'table')
  return (
    <div className="tables-pad">
      <Notice
        tone={denial === undefined ? 'info' : 'warning'}
        title={
          denial === undefined ? `${count} not described here` : `You may not use ${denial.action} on ${count}`
        }
      >
        <p>{denial?.reason ?? first.message}</p>
        <TableLinks view="tables" tables={denied.map(({ tableName }) => tableName)} label="Denied tables" />
      </Notice>
    </div>
  )
}

function Totals({ summaries }: { readonly summaries: readonly TableSummary[] }) {
  const items = summaries.reduce((sum, { table }) => sum + table.ItemCount, 0)
  const bytes = summaries.reduce((sum, { table }) => sum + table.TableSizeBytes, 0)
  return (
    <span className="number">
      {plural(summaries.length, 'table')} · {plural(items, 'item')} · {formatBytes(bytes)}
    </span>
  )
}

function Grid({ summaries }: { readonly summaries: readonly TableSummary[] }) {
  const [{ filter, sort, desc }, setState] = useUrlState(schema)
  const go = useGo()
  const columns = useColumns(summaries)
  const input = useRef<HTMLInputElement>(null)
  useCommands(
    useMemo(
      () => [
        {
          id: 'filter-tables',
          title: 'Filter the tables',
          group: 'Tables',
          shortcut: '/',
          run: () => input.current?.focus(),
        },
      ],
      [],
    ),
  )
  const rows = useMemo(() => sortSummaries(summaries, filter, sort, desc), [summaries, filter, sort, desc])
  return (
    <div className="tables-list">
      <div className="tables-filter">
        <TextInput
          ref={input}
          type="search"
          aria-label="Filter tables by name"
          placeholder="Filter by name"
          value={filter}
          onChange={(event) => setState({ filter: event.target.value })}
        />
      </div>
      <DataGrid
        label="Tables"
        columns={columns}
        rowCount={rows.length}
        rowAt={(index) => rows[index]}
        rowKey={({ table }) => table.TableName}
        onOpen={({ table }) => go('tables', table.TableName)}
        sort={{ columnId: sort, isDescending: desc }}
        onSort={(id) => {
          const column = sortColumns.find((name) => name === id)
          if (column !== undefined) setState({ sort: column, desc: column === sort ? !desc : column !== 'name' })
        }}
        empty={<p className="muted">No table has “{filter}” in its name.</p>}
      />
    </div>
  )
}

function useColumns(summaries: readonly TableSummary[]): readonly GridColumn<TableSummary>[] {
  const link = useLink()
  const nameWidthPx = useMemo(() => {
    const longest = Math.max(0, ...summaries.map(({ table }) => table.TableName.length))
    return Math.min(320, Math.max(180, Math.round(longest * 7.7) + 24))
  }, [summaries])
  return useMemo(
    (): readonly GridColumn<TableSummary>[] => [
      {
        id: 'name',
        header: 'Name',
        widthPx: nameWidthPx,
        text: ({ table }) => table.TableName,
        render: ({ table }) => (
          <Link className="tables-name truncate" href={link('tables', table.TableName)} tabIndex={-1}>
            {table.TableName}
          </Link>
        ),
      },
      {
        id: 'status',
        header: 'Status',
        widthPx: 88,
        text: ({ table }) => table.TableStatus,
        render: ({ table }) => <StatusBadge status={table.TableStatus} />,
      },
      {
        id: 'items',
        header: 'Items',
        align: 'end',
        widthPx: 84,
        text: ({ table }) => formatCount(table.ItemCount),
      },
      {
        id: 'size',
        header: 'Size',
        align: 'end',
        widthPx: 78,
        text: ({ table }) => formatBytes(table.TableSizeBytes),
      },
      {
        id: 'key',
        header: 'Key',
        widthPx: 140,
        text: ({ table }) => keyText(table.KeySchema),
        render: ({ table }) => <span className="mono truncate">{keyText(table.KeySchema)}</span>,
      },
      {
        id: 'indexes',
        header: 'Indexes',
        align: 'end',
        widthPx: 80,
        text: (summary) => (indexCount(summary) === 0 ? '–' : formatCount(indexCount(summary))),
      },
      {
        id: 'billing',
        header: 'Capacity',
        widthPx: 138,
        text: ({ table }) =>
          isOnDemand(table)
            ? 'on-demand'
            : `${formatCount(table.ProvisionedThroughput?.ReadCapacityUnits ?? 0)} R · ${formatCount(table.ProvisionedThroughput?.WriteCapacityUnits ?? 0)} W`,
      },
      {
        id: 'features',
        header: 'Features',
        widthPx: 290,
        text: (summary) => featuresOf(summary).join(', '),
        render: (summary) =>
          featuresOf(summary).map((feature) => (
            <Badge key={feature} tone="info">
              {feature}
            </Badge>
          )),
      },
    ],
    [link, nameWidthPx],
  )
}

function featuresOf(summary: TableSummary): string[] {
  const { table, timeToLive } = summary
  const features: string[] = []
  if (table.StreamSpecification?.StreamEnabled === true) features.push('stream')
  if (timeToLive.AttributeName !== undefined) features.push(`TTL ${timeToLive.AttributeName}`)
  if (hasRecovery(summary)) features.push('recovery')
  if ((table.Replicas ?? []).length > 0) features.push('global')
  if (table.DeletionProtectionEnabled === true) features.push('protected')
  return features
}

function keyText(schema: TableSummary['table']['KeySchema']): string {
  return keyNames(schemaKeys(schema)).join(', ')
}

function NoTables({ action }: { readonly action: React.ReactNode }) {
  return (
    <EmptyState icon={<Table2 />} title="No tables here yet" actions={action}>
      A table holds items: records with any attributes, which you find by their key. Create one here, from your
      application, or from the command line:
      <pre>
        {`aws dynamodb create-table --endpoint-url ${window.location.origin} \\
  --table-name shop --billing-mode PAY_PER_REQUEST \\
  --attribute-definitions AttributeName=PK,AttributeType=S AttributeName=SK,AttributeType=S \\
  --key-schema AttributeName=PK,KeyType=HASH AttributeName=SK,KeyType=RANGE`}
      </pre>
      <p className="tables-scope-hint">
        Looking for the tables of another access key or region? Choose it at the top left.
      </p>
    </EmptyState>
  )
}
