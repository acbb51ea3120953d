import type { PatternDescription } from '@hashrange/model'
import { Bookmark, History, Play, Square } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { modelsOf, useModelFiles, type LoadedModel } from '../../api/models.ts'
import type { TableDescription } from '../../api/types.ts'
import { useCommands, type Command } from '../../commands/commands.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/field.tsx'
import { Keys } from '../../components/keys.tsx'
import { EmptyState, Notice } from '../../components/notices.tsx'
import { Page } from '../../components/page.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { tell } from '../../components/toast.tsx'
import type { PatternCall } from '../../codegen/model-client.ts'
import { useGo } from '../../state/links.ts'
import { useScope } from '../../state/scope.tsx'
import { useUrlState } from '../../state/url-state.ts'
import { formatBytes, formatUnits, plural } from '../../values/format.ts'
import { buildRequest } from './build-request.ts'
import { CodePane } from './code-pane.tsx'
import { confirmScan, scanCost } from './confirm-scan.tsx'
import { describeRequest } from './describe-draft.ts'
import { draftOfRequest } from './draft-of-request.ts'
import type { QueryDraft } from './draft.ts'
import { keyShapeOf } from './key-schema.ts'
import { KeptDrawer, SaveDialog } from './kept-drawer.tsx'
import { KeyPane } from './key-pane.tsx'
import { LoadModel, ModelErrors } from './load-model.tsx'
import { PatternPane } from './pattern-pane.tsx'
import type { ParameterTexts } from './pattern-form.ts'
import { draftOfUrl, querySchema } from './query-url.ts'
import { RequestPane } from './request-pane.tsx'
import { ResultsPane } from './results-pane.tsx'
import { useExampleValues, usePattern } from './use-pattern.ts'
import { useKeptQueries } from './use-kept-queries.ts'
import { useQueryRun } from './use-query-run.ts'

/** Builds a query at the left; at the right what it returns, what is sent, and the code for it. */
export function QueryDesk({ table }: { readonly table: TableDescription }) {
  const [state, setState] = useUrlState(querySchema)
  const scope = useScope()
  const go = useGo()
  const files = useModelFiles().data?.files ?? []
  const models = useMemo(
    () =>
      modelsOf(files).filter(({ description }) => description.tables.some(({ name }) => name === table.TableName)),
    [files, table.TableName],
  )
  const model = models.find((each) => modelId(each) === state.model) ?? models[0]
  const pattern = model?.description.patterns.find(({ name }) => name === state.pattern)
  const draft = useMemo(
    () => draftOfUrl(state.q, state.index, state.pk, state.sk),
    [state.q, state.index, state.pk, state.sk],
  )
  const isLinked = draft !== state.q || window.location.search.includes('q=')
  const mode = state.mode === 'auto' ? (model !== undefined && !isLinked ? 'pattern' : 'key') : state.mode

  const built = useMemo(() => buildRequest(draft, table), [draft, table])
  const explained = usePattern(model, mode === 'pattern' ? pattern : undefined, state.p)
  const requests = useMemo(
    () => (mode === 'pattern' ? explained.requests : [built.request]),
    [mode, explained.requests, built.request],
  )
  const [request] = requests
  const problems = mode === 'key' ? built.problems : noProblems
  const isReady = request !== undefined && problems.size === 0
  const index = request?.input.IndexName ?? (mode === 'key' ? draft.index : '')
  const isConsistent = request?.input.ConsistentRead === true
  const keyShape = useMemo(() => keyShapeOf(table, index), [table, index])

  const calls = state.calls >= 0 ? state.calls : ((mode === 'pattern' ? pattern?.traffic.rate : undefined) ?? 10)
  const setDraft = (changes: Partial<QueryDraft>): void =>
    setState({ mode: 'key', q: { ...draft, ...changes }, index: '', pk: '', sk: '', run: false })
  const setTexts = (p: ParameterTexts): void => setState({ p, run: false })
  const example = useExampleValues(model, pattern, (p) => setState({ p, run: false }))

  // ---- running ---------------------------------------------------------------------------------------------------------
  const { state: run, start, more, all, cancel } = useQueryRun()
  const isRunning = run.status === 'running'
  const { keep } = useKeptQueries()
  const [ran, setRan] = useState('')
  const asked = JSON.stringify(requests)
  const title = titleOf(pattern, mode, state.p, requests[0], table)
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
      const [first] = problems.values()
      tell(first ?? whatIsMissing(mode, pattern, explained.given?.missing ?? []))
      return
    }
    if (request.operation === 'Scan') {
      const cost = scanCost(table, index, isConsistent, scope.region)
      const place = index === '' ? table.TableName : `${table.TableName}/${index}`
      if (!(await confirmScan(place, cost, calls, scope.region))) return
    }
    begin()
    setState({ run: true, tab: 'results' })
    keep('history', 'query', table.TableName, title)
  }
  // A link that was made by running runs again, unless it scans: that is asked first.
  const isAutomatic = state.run && isReady && request.operation !== 'Scan' && ran !== asked
  useEffect(() => {
    if (isAutomatic) begin()
  }, [isAutomatic, begin])

  // ---- commands ----------------------------------------------------------------------------------------------------------
  const [drawer, setDrawer] = useState<'saved' | 'history' | undefined>(undefined)
  const [isSaving, setSaving] = useState(false)
  const latest = useRef(runNow)
  latest.current = runNow
  useCommands(
    useMemo<Command[]>(
      () => [
        {
          id: 'query:run',
          title: 'Run the query',
          group: 'Query',
          shortcut: 'Mod+Enter',
          run: () => void latest.current(),
        },
        {
          id: 'query:save',
          title: 'Save the query',
          group: 'Query',
          shortcut: 'Mod+S',
          run: () => setSaving(true),
        },
        { id: 'query:saved', title: 'Saved queries', group: 'Query', run: () => setDrawer('saved') },
        {
          id: 'query:history',
          title: 'History of queries',
          group: 'Query',
          shortcut: 'H',
          run: () => setDrawer('history'),
        },
        {
          id: 'query:results',
          title: 'Show the results',
          group: 'Query',
          shortcut: '1',
          run: () => setState({ tab: 'results' }),
        },
        {
          id: 'query:request',
          title: 'Show the request',
          group: 'Query',
          shortcut: '2',
          run: () => setState({ tab: 'request' }),
        },
        {
          id: 'query:code',
          title: 'Show the code',
          group: 'Query',
          shortcut: '3',
          run: () => setState({ tab: 'code' }),
        },
        {
          id: 'query:link',
          title: 'Copy a link to the query',
          group: 'Query',
          run: () => void navigator.clipboard.writeText(window.location.href).then(() => tell('Copied')),
        },
      ],
      [setState],
    ),
  )

  const call: PatternCall | undefined =
    mode === 'pattern' && model !== undefined && pattern !== undefined && explained.given?.missing.length === 0
      ? {
          file: model.file,
          exportName: model.exportName,
          pattern: pattern.name,
          action: pattern.action,
          parameters: explained.given.parameters,
          isLimited: pattern.limit !== undefined,
        }
      : undefined

  return (
    <Page
      title="Query"
      aside={<Badge>{table.TableName}</Badge>}
      layout="fill"
      actions={
        <>
          <Button icon={<Bookmark />} onClick={() => setSaving(true)}>
            Save
          </Button>
          <Button icon={<History />} onClick={() => setDrawer('history')}>
            Saved and history
          </Button>
        </>
      }
    >
      <div className="query">
        <form
          className="query-builder"
          aria-label="Query"
          onSubmit={(event) => event.preventDefault()}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
            if (!(event.target instanceof HTMLInputElement)) return
            event.preventDefault()
            void runNow()
          }}
        >
          <div className="query-scroll">
            <Choice
              label="How the query is made"
              shape="segments"
              value={mode}
              options={[
                { value: 'pattern', label: 'By access pattern' },
                { value: 'key', label: 'By key' },
              ]}
              onChange={(next) => setState({ mode: next, run: false })}
            />
            {mode === 'key' ? (
              <KeyPane
                table={table}
                draft={draft}
                problems={problems}
                operation={built.request.operation}
                items={run.items}
                onChange={setDraft}
              />
            ) : model === undefined ? (
              <LoadModel table={table.TableName} files={files} />
            ) : (
              <>
                <ModelErrors files={files.filter(({ file }) => file === model.file)} />
                <PatternPane
                  models={models}
                  model={model}
                  pattern={pattern}
                  texts={state.p}
                  given={explained.given}
                  error={explained.error}
                  isLooking={example.isLooking}
                  onExample={example.look}
                  onChange={setTexts}
                  onPick={(picked, name) => {
                    const changes = { mode: 'pattern', model: modelId(picked), pattern: name } as const
                    const home = tableOfPattern(picked, name)
                    if (home !== undefined && home !== table.TableName) go('query', home, changes)
                    else setState({ ...changes, p: {}, run: false, calls: -1 }, { push: true })
                  }}
                  onEdit={
                    request === undefined || requests.length > 1
                      ? undefined
                      : () =>
                          setState({ mode: 'key', q: draftOfRequest(request, table), run: false }, { push: true })
                  }
                />
              </>
            )}
          </div>
          <footer className="query-foot">
            <Summary
              operation={isReady || mode === 'key' ? request?.operation : undefined}
              requests={requests.length}
              table={table}
              index={index}
              isConsistent={isConsistent}
              region={scope.region}
            />
            <div className="row">
              {/* One button, which keeps the focus while it changes what it does. */}
              <Button
                tone={isRunning ? 'plain' : 'primary'}
                icon={isRunning ? <Square /> : <Play />}
                className="grow"
                onClick={isRunning ? cancel : () => void runNow()}
              >
                {isRunning ? 'Cancel' : 'Run'}
                {!isRunning && <Keys keys="Mod+Enter" />}
              </Button>
            </div>
          </footer>
        </form>
        <div className="query-result">
          <Tabs
            label="Result"
            value={state.tab}
            onChange={(tab) => setState({ tab })}
            tabs={[
              {
                value: 'results' as const,
                label: 'Results',
                content: (
                  <ResultsPane
                    state={run}
                    table={table}
                    keyShape={keyShape}
                    entityNames={model?.description.entities.map(({ name }) => name)}
                    region={scope.region}
                    isWhole={request?.input.ProjectionExpression === undefined}
                    isConsistent={isConsistent}
                    callsPerSecond={calls}
                    onCallsPerSecond={(next) => setState({ calls: next })}
                    isStale={ran !== asked}
                    onMore={() => void more?.()}
                    onAll={() => void all?.()}
                    onCancel={cancel}
                    empty={<NothingRun />}
                  />
                ),
              },
              {
                value: 'request' as const,
                label: 'Request',
                content: isReady ? <RequestPane requests={requests} table={table} /> : <NotReady />,
              },
              {
                value: 'code' as const,
                label: 'Code',
                content: isReady ? (
                  <CodePane
                    requests={requests}
                    call={call}
                    noCall="The model client calls access patterns by their names. Pick one at the left under “By access pattern”, or add a pattern for this query to your model."
                    language={state.lang}
                    onLanguage={(lang) => setState({ lang })}
                    target={state.target}
                    onTarget={(target) => setState({ target })}
                  />
                ) : (
                  <NotReady />
                ),
              },
            ]}
          />
        </div>
      </div>
      {drawer !== undefined && (
        <KeptDrawer isOpen first={drawer} table={table.TableName} onClose={() => setDrawer(undefined)} />
      )}
      {isSaving && (
        <SaveDialog
          suggestion={title}
          onSave={(name) => {
            keep('saved', 'query', table.TableName, name)
            tell(`Saved “${name}”`)
          }}
          onClose={() => setSaving(false)}
        />
      )}
    </Page>
  )
}

const noProblems: ReadonlyMap<string, string> = new Map()

function modelId({ file, description }: LoadedModel): string {
  return `${file}|${description.name}`
}

function tableOfPattern({ description }: LoadedModel, name: string): string | undefined {
  const id = description.patterns.find((pattern) => pattern.name === name)?.table
  return description.tables.find((table) => table.id === id)?.name
}

function titleOf(
  pattern: PatternDescription | undefined,
  mode: 'pattern' | 'key',
  texts: ParameterTexts,
  request: Parameters<typeof describeRequest>[0] | undefined,
  table: TableDescription,
): string {
  if (mode === 'key' || pattern === undefined) return request === undefined ? '' : describeRequest(request, table)
  const given = Object.entries(texts).filter(([, value]) => value !== '')
  return `${pattern.name}(${given.map(([name, value]) => `${name}: ${value}`).join(', ')})`
}

function whatIsMissing(
  mode: 'pattern' | 'key',
  pattern: PatternDescription | undefined,
  missing: readonly string[],
): string {
  if (mode === 'key') return 'The query is not complete yet.'
  if (pattern === undefined) return 'Pick an access pattern first.'
  return missing.length === 0
    ? 'The parameters are being looked at.'
    : `${pattern.name} needs ${missing.join(', ')}.`
}

/** What will be sent, in a sentence. */
function Summary({
  operation,
  requests,
  table,
  index,
  isConsistent,
  region,
}: {
  readonly operation: string | undefined
  readonly requests: number
  readonly table: TableDescription
  readonly index: string
  readonly isConsistent: boolean
  readonly region: string
}) {
  if (operation === undefined) return null
  if (operation === 'Scan') {
    const cost = scanCost(table, index, isConsistent, region)
    return (
      <Notice tone="warning">
        <strong>Scan</strong>: reads all {plural(cost.itemCount, 'item')} of {index === '' ? 'the table' : index},{' '}
        {formatBytes(cost.sizeBytes)}, about {formatUnits(cost.units)} units.
      </Notice>
    )
  }
  return (
    <p className="query-summary">
      <Badge tone="accent">{requests > 1 ? `${String(requests)} × ${operation}` : operation}</Badge>{' '}
      {operation === 'GetItem'
        ? 'One item, by its whole key.'
        : requests > 1
          ? `As many partitions of ${index === '' ? 'the table' : index}, read together and merged in order.`
          : `One partition of ${index === '' ? 'the table' : index}, in the order of its sort key.`}
    </p>
  )
}

function NothingRun() {
  return (
    <EmptyState icon={<Play />} title="Ask the table something">
      Give the key of one item (a GetItem), a partition (a Query), or nothing (a Scan). The operation, the request
      and the code for it follow from what you fill in. <Keys keys="Mod+Enter" /> runs it.
    </EmptyState>
  )
}

function NotReady() {
  return (
    <EmptyState icon={<Play />} title="Not complete yet">
      Fill in what is missing at the left; the request and its code stand here as soon as it could be sent.
    </EmptyState>
  )
}
