import { Play } from '../../icons/icons.generated.ts'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { isClosed } from '../../api/access.ts'
import type { TableDescription } from '../../api-types.ts'
import { useCommands } from '../../commands/commands.ts'
import { Badge } from '../../components/values/badge.tsx'
import { Keys } from '../../components/controls/keys.tsx'
import { EmptyState, Skeleton } from '../../components/messages/notices.tsx'
import { advise, tell } from '../../components/messages/toast.tsx'
import { useScope } from '../../state/scope.tsx'
import { CodePane } from './results/code-pane.tsx'
import { confirmScan } from './run/confirm-scan.tsx'
import { DeskPage } from './desk-page.tsx'
import { QueryBuilder, type EditQuery } from './builder/query-builder.tsx'
import { querySchema } from './asked/query-url.ts'
import { titleOf, whatIsMissing } from './asked/query-text.ts'
import { RequestPane } from './results/request-pane.tsx'
import { ResultTabs } from './results/result-tabs.tsx'
import { ResultsPane } from './results/results-pane.tsx'
import { useAskedQuery } from './asked/use-asked-query.ts'
import { useKeptQueries } from './kept/use-kept-queries.ts'
import { useQueryRun } from './run/use-query-run.ts'

const AccessPane = lazy(() => import('./access/access-pane.tsx'))

/** Only a closed server has policies that decide. */
const withAccess = querySchema.tab.options.filter((tab) => tab !== 'access' || isClosed)
const withoutAccess = withAccess.filter((tab) => tab !== 'access')

/** Builds a query at the left; at the right what it returns, what is sent, and the code for it. */
export function QueryDesk({ table }: { readonly table: TableDescription }) {
  const query = useAskedQuery(table)
  const { state, setState, mode, explained, requests, request, isReady, index, isConsistent, keyShape, calls } =
    query
  const scope = useScope()
  const { region } = scope
  const tabs = scope.connection === undefined ? withAccess : withoutAccess
  const { state: run, start, more, all, cancel } = useQueryRun()
  const { keep } = useKeptQueries()
  const isRunning = run.status === 'running'
  const [ran, setRan] = useState('')
  const asked = JSON.stringify(requests)
  const title = titleOf(query)
  // What was run stays a step of the history: a change of it begins the next one.
  const isRun = ran !== '' && ran === asked
  const edit: EditQuery = (changes, options) =>
    setState({ ...changes, run: false }, { push: isRun || options?.push === true })

  const begin = useCallback(() => {
    setRan(asked)
    const sortAttribute = keyShape.sort[0]?.name
    void start({
      requests,
      follow: mode === 'pattern' ? explained.follow : undefined,
      mergeBy:
        sortAttribute === undefined
          ? undefined
          : { attribute: sortAttribute, isDescending: request?.input.ScanIndexForward === false },
    })
  }, [asked, requests, keyShape, mode, explained.follow, request, start])
  const runNow = async (): Promise<void> => {
    if (isRunning) return
    if (!isReady) {
      advise(whatIsMissing(query))
      return
    }
    if (request?.operation === 'Scan' && !(await confirmScan(table, index, isConsistent, calls, scope))) return
    begin()
    setState({ run: true, tab: 'results' })
    // On a phone the answer is below the question.
    if (matchMedia('(max-width: 800px)').matches) document.querySelector('.query-result')?.scrollIntoView()
    keep('history', 'query', table.TableName, title)
  }
  // A link that was created by running runs again, unless it scans: that needs confirmation.
  const isAutomatic = state.run && isReady && request?.operation !== 'Scan' && ran !== asked
  useEffect(() => {
    if (isAutomatic) begin()
  }, [isAutomatic, begin])
  useCommands(linkCommands)

  return (
    <DeskPage
      view="query"
      title="Query"
      aside={<Badge>{table.TableName}</Badge>}
      subject="query"
      table={table.TableName}
      suggestion={title}
      onRun={() => void runNow()}
      tabs={tabs}
      onTab={(tab) => setState({ tab })}
    >
      <div className="query">
        <QueryBuilder
          query={query}
          edit={edit}
          items={run.items}
          isRunning={isRunning}
          onRun={() => void runNow()}
          onCancel={cancel}
        />
        <div className="query-result">
          <ResultTabs
            tab={tabs.includes(state.tab) ? state.tab : 'results'}
            tabs={tabs}
            onTab={(tab) => setState({ tab })}
            panes={{
              results: (
                <ResultsPane
                  state={run}
                  table={table}
                  keyShape={keyShape}
                  region={region}
                  isWhole={request?.input.ProjectionExpression === undefined}
                  isConsistent={isConsistent}
                  callsPerSecond={calls}
                  onCallsPerSecond={(next) => setState({ calls: next })}
                  isStale={ran !== asked}
                  onMore={() => void more?.()}
                  onAll={() => void all?.()}
                  onCancel={cancel}
                  empty={<NothingRun isByPattern={mode === 'pattern'} />}
                />
              ),
              request: isReady ? <RequestPane requests={requests} table={table} /> : <NotReady />,
              code: isReady ? (
                <CodePane
                  requests={requests}
                  call={query.call}
                  noCall="The model client calls access patterns by name. Pick one on the left under “By access pattern”, or add a pattern for this query to your model."
                  choice={state}
                  onChoice={setState}
                />
              ) : (
                <NotReady />
              ),
              access: (
                <Suspense
                  fallback={
                    <div className="loading">
                      <Skeleton lines={4} />
                    </div>
                  }
                >
                  <AccessPane requests={isReady ? requests : []} table={table} index={index} />
                </Suspense>
              ),
            }}
          />
        </div>
      </div>
    </DeskPage>
  )
}

const linkCommands = [
  {
    id: 'query:link',
    title: 'Copy a link to the query',
    group: 'Query',
    run: () => void navigator.clipboard.writeText(window.location.href).then(() => tell('Copied')),
  },
]

function NothingRun({ isByPattern }: { readonly isByPattern: boolean }) {
  return (
    <EmptyState icon={<Play />} title="Run a query">
      {isByPattern
        ? 'Pick an access pattern of the model and fill in its parameters.'
        : 'Enter the full key of one item (a GetItem), a partition key (a Query), or nothing (a Scan).'}{' '}
      The operation, the request and the code for it follow from what you fill in. <Keys keys="Mod+Enter" /> runs
      it.
    </EmptyState>
  )
}

function NotReady() {
  return (
    <EmptyState icon={<Play />} title="Not complete yet">
      Fill in what is missing on the left. The request and its code then appear here.
    </EmptyState>
  )
}
