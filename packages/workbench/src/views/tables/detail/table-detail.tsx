import { ArrowRightLeft, Ellipsis, RefreshCw, Trash2 } from '../../../icons/icons.generated.ts'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { useConnection, useInfo, useRefresh, useTable } from '../../../api/queries.ts'
import type { TableDescription } from '../../../api-types.ts'
import { views } from '../../views.tsx'
import { useCommands } from '../../../commands/commands.ts'
import { StatusBadge } from '../../../components/values/badge.tsx'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { Menu } from '../../../components/controls/menu.tsx'
import { EmptyState, Waiting } from '../../../components/messages/notices.tsx'
import { Page } from '../../../components/page/page.tsx'
import { Tabs } from '../../../components/controls/tabs.tsx'
import { useGo, useLink } from '../../../state/links.ts'
import { oneOf, useUrlState } from '../../../state/url-state.ts'
import { formatBytes, plural } from '../../../values/format.ts'
import { ApiError } from '../../../api/api.ts'
import { useDeleteTable } from '../delete-table.ts'
import { Exports } from '../transfers/exports.tsx'
import { Backups } from './backups-tab.tsx'
import { Capacity } from './capacity.tsx'
import { Indexes } from './indexes.tsx'
import { Overview } from './overview.tsx'
import { Settings } from './settings.tsx'
import { Tags } from './tags.tsx'
import './table-detail.css'

const CopyDialog = lazy(() => import('../../../components/copy/copy-dialog.tsx'))

const schema = {
  tab: oneOf(['overview', 'indexes', 'capacity', 'settings', 'backups', 'exports', 'tags'], 'overview'),
}

/** All about one table, and what can be changed about it. */
export default function TableDetail({ name }: { readonly name: string }) {
  const { data: table, error, refetch } = useTable(name)
  const link = useLink()
  if (error instanceof ApiError && error.name === 'ResourceNotFoundException') {
    return (
      <EmptyState
        icon={<Trash2 />}
        title={`There is no table ${name} here`}
        actions={<Link href={link('tables')}>All tables</Link>}
      >
        It may have been deleted, or it may belong to another access key or region. Choose that at the top left.
      </EmptyState>
    )
  }
  if (table === undefined) {
    return (
      <Page title={name}>
        <Waiting error={error} onRetry={refetch} lines={6} />
      </Page>
    )
  }
  return <Detail table={table} />
}

function Detail({ table }: { readonly table: TableDescription }) {
  const [{ tab }, setState] = useUrlState(schema)
  const isReadOnly = useInfo()?.readOnly === true
  const remove = useDeleteTable()
  const refresh = useRefresh()
  const link = useLink()
  const go = useGo()
  const name = table.TableName
  const [isCopying, setCopying] = useState(false)
  // What may not be changed may still be copied to somewhere else.
  const mayCopy = useConnection() !== undefined || !isReadOnly
  useCommands(
    useMemo(
      () => [
        ...schema.tab.options.map((value) => ({
          id: `table-tab:${value}`,
          title: `Show ${value} of ${name}`,
          group: 'This table',
          run: () => setState({ tab: value }, { push: true }),
        })),
        ...(mayCopy
          ? [
              {
                id: 'copy-table',
                title: `Copy ${name} to …`,
                group: 'This table',
                run: () => setCopying(true),
              },
            ]
          : []),
        ...(isReadOnly
          ? []
          : [{ id: 'delete-table', title: `Delete ${name} …`, group: 'This table', run: () => remove(table) }]),
      ],
      [setState, name, table, remove, isReadOnly, mayCopy],
    ),
  )
  const others = views.filter(({ isOfTable, path }) => isOfTable && path !== 'tables')
  return (
    <Page
      title={name}
      aside={
        <>
          <StatusBadge status={table.TableStatus} />
          <span className="number">
            {plural(table.ItemCount, 'item')} · {formatBytes(table.TableSizeBytes)}
          </span>
        </>
      }
      actions={
        <>
          {others.slice(0, 1).map(({ path, title, icon }) => (
            <Link key={path} href={link(path, name)} className="button button-primary">
              {icon}
              {title}
            </Link>
          ))}
          {others.length > 1 && (
            <Menu
              align="end"
              trigger={<Button>Open in</Button>}
              entries={others.slice(1).map(({ path, title, icon }) => ({
                label: title,
                icon,
                onSelect: () => go(path, name),
              }))}
            />
          )}
          <IconButton label="Refresh" icon={<RefreshCw />} onClick={() => void refresh()} />
          {mayCopy && (
            <Menu
              align="end"
              trigger={
                <Button tone="quiet" className="icon-button" aria-label="More actions" icon={<Ellipsis />} />
              }
              entries={[
                { label: 'Copy table to …', icon: <ArrowRightLeft />, onSelect: () => setCopying(true) },
                ...(isReadOnly
                  ? []
                  : [
                      {
                        label: 'Delete table …',
                        icon: <Trash2 />,
                        tone: 'danger' as const,
                        onSelect: () => remove(table),
                      },
                    ]),
              ]}
            />
          )}
        </>
      }
      layout="fill"
    >
      {isCopying && (
        <Suspense fallback={null}>
          <CopyDialog tableName={name} onClose={() => setCopying(false)} />
        </Suspense>
      )}
      <Tabs
        label="About the table"
        value={tab}
        onChange={(next) => setState({ tab: next }, { push: true })}
        tabs={[
          { value: 'overview', label: 'Overview', content: <Overview table={table} /> },
          {
            value: 'indexes',
            label: 'Indexes',
            content: <Indexes table={table} isReadOnly={isReadOnly} />,
          },
          { value: 'capacity', label: 'Capacity', content: <Capacity table={table} isReadOnly={isReadOnly} /> },
          { value: 'settings', label: 'Settings', content: <Settings table={table} isReadOnly={isReadOnly} /> },
          { value: 'backups', label: 'Backups', content: <Backups table={table} isReadOnly={isReadOnly} /> },
          { value: 'exports', label: 'Exports', content: <Exports table={table} isReadOnly={isReadOnly} /> },
          { value: 'tags', label: 'Tags', content: <Tags table={table} isReadOnly={isReadOnly} /> },
        ]}
      />
    </Page>
  )
}
