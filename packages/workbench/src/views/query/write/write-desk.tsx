import { Plus, Send } from '../../../icons/icons.generated.ts'
import { lazy, Suspense, useMemo, useState } from 'react'
import { isClosed } from '../../../api/access.ts'
import { modelsOf, useModelFiles } from '../../../api/models.ts'
import { useCall, useInfo, useRefresh } from '../../../api/queries.ts'
import type { Item, TableDescription } from '../../../api-types.ts'
import { Badge } from '../../../components/values/badge.tsx'
import { Button } from '../../../components/controls/button.tsx'
import { Choice, Field, Select } from '../../../components/controls/field.tsx'
import { EmptyState, Notice, Skeleton } from '../../../components/messages/notices.tsx'
import { CopyButton } from '../../../components/messages/copy-button.tsx'
import { advise } from '../../../components/messages/toast.tsx'
import { useAttempt } from '../../../components/messages/use-attempt.ts'
import { useConnectionName } from '../../../state/scope.tsx'
import { json, oneOf, useUrlState } from '../../../state/url-state.ts'
import { plural } from '../../../values/format.ts'
import { ModeChoice } from '../builder/mode-choice.tsx'
import { DeskPage } from '../desk-page.tsx'
import { keyShapeOf } from '../draft/key-schema.ts'
import { CodePane, codeSchema } from '../results/code-pane.tsx'
import { ResultTabs } from '../results/result-tabs.tsx'
import { buildWrite } from './build-write.ts'
import { modelWrite } from './model-write.ts'
import { checkWrite, emptyWrite, newRow, returnKinds, type WriteDraft, type WriteRow } from './write-draft.ts'
import { WriteResult, type Written } from './write-result.tsx'
import { WriteRowEditor } from './write-row.tsx'
import './write.css'

const AccessPane = lazy(() => import('../access/access-pane.tsx'))

const schema = {
  mode: oneOf(['auto', 'pattern', 'key', 'write'], 'auto'),
  w: json<WriteDraft>(emptyWrite, checkWrite),
  tab: oneOf(['results', 'request', 'code', 'access'], 'results'),
  ...codeSchema,
}

const withAccess = schema.tab.options.filter((tab) => tab !== 'access' || isClosed)
const withoutAccess = withAccess.filter((tab) => tab !== 'access')

/** Builds changes of items at the left; at the right what came of them, what is sent, and the code for it. */
export default function WriteDesk({ table }: { readonly table: TableDescription }) {
  const [state, setState] = useUrlState(schema)
  const [opened, setOpened] = useState(0)
  const [written, setWritten] = useState<Written>()
  const { attempt, isBusy, error } = useAttempt()
  const call = useCall()
  const refresh = useRefresh()
  const isReadOnly = useInfo()?.readOnly === true
  const tabs = useConnectionName() === undefined ? withAccess : withoutAccess
  const draft = state.w
  const { request, problems } = useMemo(() => buildWrite(draft, table), [draft, table])
  const isReady = problems.size === 0
  const files = useModelFiles().data?.files
  const byModel = useMemo(
    () => (isReady ? modelWrite(draft, request, table.TableName, modelsOf(files ?? [])) : ''),
    [isReady, draft, request, table, files],
  )
  const change = (changes: Partial<WriteDraft>): void => setState({ w: { ...draft, ...changes } })
  const setRow = (position: number, row: WriteRow | undefined): void =>
    change({ rows: row === undefined ? draft.rows.toSpliced(position, 1) : draft.rows.with(position, row) })
  const run = async (): Promise<void> => {
    if (!isReady) {
      advise([...problems.values()][0] ?? 'Something is missing.')
      return
    }
    setWritten(undefined)
    setState({ tab: 'results' })
    await attempt(async () => {
      const { operation, input } = request
      const answer = await call<{ Attributes?: Item; UnprocessedItems?: object }>(operation, {
        ...input,
        ReturnConsumedCapacity: 'INDEXES',
      })
      setWritten({ operation, rows: draft.rows.length, answer })
      await refresh()
    })
    if (matchMedia('(max-width: 800px)').matches) document.querySelector('.query-result')?.scrollIntoView()
  }
  const title = `${request.operation} on ${table.TableName}`
  const shape = keyShapeOf(table, '')
  const notReady = (
    <EmptyState icon={<Send />} title="Not complete yet">
      {[...problems.values()][0]}
    </EmptyState>
  )
  return (
    <DeskPage
      view="query"
      title="Query"
      aside={<Badge>{table.TableName}</Badge>}
      subject="write"
      table={table.TableName}
      suggestion={title}
      onRun={() => void run()}
      tabs={tabs}
      onTab={(tab) => setState({ tab })}
    >
      <div className="query">
        <form className="query-builder" aria-label="Write" onSubmit={(event) => event.preventDefault()}>
          <div className="query-scroll">
            <ModeChoice mode="write" onChange={(mode) => setState({ mode })} />
            {draft.rows.map((row, position) => (
              // Rows have no names of their own.
              // oxlint-disable-next-line react/no-array-index-key
              <WriteRowEditor
                key={position}
                row={row}
                number={position + 1}
                keyAttributes={[...shape.partition, ...shape.sort]}
                problems={problems}
                isOpen={draft.rows.length === 1 || opened === position}
                onOpen={() => setOpened(position)}
                onChange={(next) => setRow(position, next)}
                onRemove={draft.rows.length === 1 ? undefined : () => setRow(position, undefined)}
              />
            ))}
            <div className="row">
              <Button
                icon={<Plus />}
                onClick={() => {
                  setOpened(draft.rows.length)
                  change({ rows: [...draft.rows, newRow('put')] })
                }}
              >
                Add a change
              </Button>
            </div>
            {draft.rows.length > 1 ? (
              <Choice
                label="Send as"
                shape="segments"
                value={draft.way}
                options={[
                  { value: 'transaction', label: 'Transaction' },
                  { value: 'batch', label: 'Batch' },
                ]}
                onChange={(way) => change({ way })}
              />
            ) : (
              <Field label="Return">
                <Select
                  value={draft.returns}
                  options={returnKinds.map((kind) => ({ value: kind, label: returnNames[kind] }))}
                  onChange={(returns) => change({ returns })}
                />
              </Field>
            )}
          </div>
          <footer className="query-foot">
            <p className="query-summary">
              <Badge tone="accent">{request.operation}</Badge>{' '}
              {draft.rows.length === 1
                ? 'One item.'
                : draft.way === 'transaction'
                  ? `${plural(draft.rows.length, 'change')}, all or nothing.`
                  : `${plural(draft.rows.length, 'change')}, each by itself.`}
            </p>
            {isReadOnly && <Notice>This workbench is read-only. You can still copy the code.</Notice>}
            <Button tone="primary" icon={<Send />} isBusy={isBusy} disabled={isReadOnly} onClick={() => void run()}>
              Write
            </Button>
          </footer>
        </form>
        <div className="query-result">
          <ResultTabs
            tab={tabs.includes(state.tab) ? state.tab : 'results'}
            tabs={tabs}
            onTab={(tab) => setState({ tab })}
            panes={{
              results: <WriteResult written={written} error={error} rows={draft.rows} isBusy={isBusy} />,
              request: isReady ? <RequestText input={request.input} /> : notReady,
              code: isReady ? (
                <CodePane
                  requests={[request]}
                  call={typeof byModel === 'string' ? undefined : byModel}
                  noCall={typeof byModel === 'string' && byModel}
                  choice={state}
                  onChoice={setState}
                />
              ) : (
                notReady
              ),
              access: (
                <Suspense
                  fallback={
                    <div className="loading">
                      <Skeleton lines={4} />
                    </div>
                  }
                >
                  <AccessPane requests={isReady ? [request] : []} table={table} index="" />
                </Suspense>
              ),
            }}
          />
        </div>
      </div>
    </DeskPage>
  )
}

const returnNames: Readonly<Record<(typeof returnKinds)[number], string>> = {
  NONE: 'nothing',
  ALL_OLD: 'the item as it was',
  ALL_NEW: 'the item as it is now (updates)',
  UPDATED_OLD: 'what has changed, as it was (updates)',
  UPDATED_NEW: 'what has changed, as it is now (updates)',
}

function RequestText({ input }: { readonly input: object }) {
  const text = JSON.stringify(input, null, 2)
  return (
    <div className="code-pane">
      <div className="code-bar">
        <span className="grow" />
        <CopyButton label="Copy request" text={text} />
      </div>
      <pre className="code-block" aria-label="Request" tabIndex={0}>
        {text}
      </pre>
    </div>
  )
}
