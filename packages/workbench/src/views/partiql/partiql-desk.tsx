import { Bookmark, History, Play, Square, Terminal } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useInfo, useRefresh, useTable, useTableNames } from '../../api/queries.ts'
import type { AttributeValue, TableDescription } from '../../api/types.ts'
import { useCommands, type Command } from '../../commands/commands.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CodeEditor } from '../../components/code-editor.tsx'
import { confirm } from '../../components/confirm.tsx'
import { Checkbox, Choice, Select, TextInput } from '../../components/field.tsx'
import { Keys } from '../../components/keys.tsx'
import { EmptyState, ErrorBox } from '../../components/notices.tsx'
import { Page } from '../../components/page.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { tell } from '../../components/toast.tsx'
import type { ServiceRequest } from '../../codegen/service-request.ts'
import { useScope } from '../../state/scope.tsx'
import { flag, json, number, oneOf, text, useUrlState } from '../../state/url-state.ts'
import { formatBytes, formatUnits, plural } from '../../values/format.ts'
import { TextMistake } from '../../values/json-text.ts'
import { typeNames } from '../../values/preview.ts'
import { CodePane, codeTargets, paneLanguages } from '../query/code-pane.tsx'
import { confirmScan, scanCost } from '../query/confirm-scan.tsx'
import { valueTypes } from '../query/draft.ts'
import { keyShapeOf } from '../query/key-schema.ts'
import { KeptDrawer, SaveDialog } from '../query/kept-drawer.tsx'
import { ResultsPane } from '../query/results-pane.tsx'
import { useKeptQueries } from '../query/use-kept-queries.ts'
import { parseValue } from '../query/value-text.ts'
import { completePartiql, nameText, type CompletionNames } from './complete-partiql.ts'
import { isScan, placed, readStatement, type StatementFacts } from './read-statement.ts'
import { splitStatements, type StatementText } from './split-statements.ts'
import { useStatementRuns } from './use-statement-runs.ts'

interface ParameterText {
  readonly type: (typeof valueTypes)[number]
  readonly value: string
}

const noParameters: readonly ParameterText[] = []

const schema = {
  s: text(),
  p: json(noParameters, checkParameters),
  limit: text(),
  consistent: flag(),
  tab: oneOf(['results', 'code'], 'results'),
  lang: oneOf(paneLanguages, 'javascript'),
  target: oneOf(codeTargets, 'here'),
  calls: number(10),
  run: flag(),
}

/** Statements of PartiQL: written above, their answers below. */
export function PartiqlDesk({ table: chosen }: { readonly table: string | undefined }) {
  const [state, setState] = useUrlState(schema)
  const info = useInfo()
  const scope = useScope()
  const refresh = useRefresh()
  const statements = useMemo(() => splitStatements(state.s), [state.s])
  const known = useMemo(() => statements.map(readStatement), [statements])
  const named = known.find(({ tableName }) => tableName !== undefined)?.tableName ?? chosen
  const { data: table } = useTable(named)
  const parameters = useMemo(() => readAll(statements, state.p), [statements, state.p])
  const requests = useMemo(
    () =>
      statements.map((statement, at) =>
        requestOf(statement, parameters[at]?.values ?? [], state.limit, state.consistent),
      ),
    [statements, parameters, state.limit, state.consistent],
  )
  const scans = statements.map(
    (statement, at) =>
      known[at]?.kind === 'select' &&
      table !== undefined &&
      known[at].tableName === table.TableName &&
      isScan(statement, table, parameters[at]?.values ?? []),
  )
  const { runs, start, cancel, isRunning } = useStatementRuns()
  const [active, setActive] = useState(0)
  const [ran, setRan] = useState('')
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
  const { keep } = useKeptQueries()
  const shown = runs[Math.min(active, runs.length - 1)]
  const asked = JSON.stringify(requests)
  const writes = known.filter(({ isWrite }) => isWrite)

  const begin = async (): Promise<void> => {
    setRan(asked)
    setActive(0)
    setRefusal(undefined)
    await start(requests)
    if (writes.length > 0) await refresh()
  }
  const runNow = async (): Promise<void> => {
    if (isRunning) return
    const problem =
      statements.length === 0
        ? 'Write a statement first.'
        : (known.find((each) => each.problem !== undefined)?.problem?.message ??
          parameters.find((each) => each.problem !== undefined)?.problem)
    if (problem !== undefined) return setRefusal(problem)
    if (writes.length > 0 && info?.readOnly === true) {
      return setRefusal(
        'This workbench is read-only: only SELECT is run. Start hashrange without --workbench-read-only to write.',
      )
    }
    if (writes.length > 0 && !(await confirmWrites(statements, known))) return
    if (scans.includes(true) && table !== undefined) {
      const at = scans.indexOf(true)
      const index = known[at]?.indexName ?? ''
      const cost = scanCost(table, index, state.consistent, scope.region)
      const place = index === '' ? table.TableName : `${table.TableName}/${index}`
      if (!(await confirmScan(place, cost, state.calls, scope.region))) return
    }
    setState({ run: writes.length === 0 && !scans.includes(true), tab: 'results' })
    keep('history', 'partiql', named ?? '', statements.map((each) => each.text.replaceAll(/\s+/g, ' ')).join('; '))
    await begin()
  }
  const latest = useRef({ runNow, begin })
  latest.current = { runNow, begin }
  // A link that was made by running runs again if it only reads, and by key.
  const isAutomatic =
    state.run &&
    ran === '' &&
    statements.length > 0 &&
    writes.length === 0 &&
    table !== undefined &&
    !scans.includes(true)
  useEffect(() => {
    if (isAutomatic) void latest.current.begin()
  }, [isAutomatic])

  const [drawer, setDrawer] = useState<'saved' | 'history' | undefined>(undefined)
  const [isSaving, setSaving] = useState(false)
  useCommands(
    useMemo<Command[]>(
      () => [
        {
          id: 'partiql:run',
          title: 'Run the statements',
          group: 'PartiQL',
          shortcut: 'Mod+Enter',
          run: () => void latest.current.runNow(),
        },
        {
          id: 'partiql:save',
          title: 'Save the statements',
          group: 'PartiQL',
          shortcut: 'Mod+S',
          run: () => setSaving(true),
        },
        { id: 'partiql:saved', title: 'Saved queries', group: 'PartiQL', run: () => setDrawer('saved') },
        {
          id: 'partiql:history',
          title: 'History of queries',
          group: 'PartiQL',
          shortcut: 'H',
          run: () => setDrawer('history'),
        },
        {
          id: 'partiql:results',
          title: 'Show the results',
          group: 'PartiQL',
          shortcut: '1',
          run: () => setState({ tab: 'results' }),
        },
        {
          id: 'partiql:code',
          title: 'Show the code',
          group: 'PartiQL',
          shortcut: '2',
          run: () => setState({ tab: 'code' }),
        },
      ],
      [setState],
    ),
  )

  const names = useCompletionNames(table, shown?.run.state.items)
  const complete = useMemo(() => completePartiql(() => names.current), [names])
  const failed = runs.findIndex(({ run }) => run.state.status === 'failed')
  const check = (source: string) =>
    splitStatements(source).flatMap((statement, at) => {
      const { problem } = readStatement(statement)
      if (problem !== undefined) return [problem]
      const error = at === failed && source === state.s ? runs[failed]?.run.state.error : undefined
      return error instanceof Error && ran === asked ? [placed(statement, error.message)] : []
    })
  const setStatement = (s: string): void => {
    setRefusal(undefined)
    setState({ s, run: false })
  }
  const count = statements.reduce((sum, { parameterCount }) => sum + parameterCount, 0)

  return (
    <Page
      title="PartiQL"
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
      <div className="partiql-top">
        <CodeEditor
          label="Statements"
          language="sql"
          heightPx={150}
          value={state.s}
          onChange={setStatement}
          check={check}
          checkAgain={`${ran} ${String(failed)}`}
          complete={complete}
          onRun={() => void latest.current.runNow()}
          placeholder={`SELECT * FROM "${chosen ?? 'table'}" WHERE …`}
        />
        {count > 0 && (
          <Parameters
            count={count}
            parameters={state.p}
            problems={parameters.flatMap((each) => (each.problem === undefined ? [] : [each.problem]))}
            onChange={(p) => setState({ p, run: false })}
          />
        )}
        <div className="partiql-bar">
          <div className="partiql-facts" role="status">
            {known.slice(0, 4).map((facts, at) => (
              <StatementBadge
                key={at}
                facts={facts}
                isScan={scans[at] === true}
                table={table}
                region={scope.region}
              />
            ))}
            {known.length > 4 && <Badge>{`and ${String(known.length - 4)} more`}</Badge>}
          </div>
          <label className="partiql-limit">
            Limit
            <TextInput
              value={state.limit}
              inputMode="numeric"
              placeholder="1 MB"
              onChange={(event) => setState({ limit: event.target.value.replaceAll(/\D/g, ''), run: false })}
            />
          </label>
          <Checkbox
            label="Consistent"
            checked={state.consistent}
            onChange={(event) => setState({ consistent: event.target.checked, run: false })}
          />
          <Button
            tone={isRunning ? 'plain' : 'primary'}
            icon={isRunning ? <Square /> : <Play />}
            onClick={isRunning ? cancel : () => void runNow()}
          >
            {isRunning ? 'Cancel' : 'Run'}
            {!isRunning && <Keys keys="Mod+Enter" />}
          </Button>
        </div>
        {refusal !== undefined && <ErrorBox error={refusal} />}
      </div>
      <div className="query-result partiql-result">
        <Tabs
          label="Result"
          value={state.tab}
          onChange={(tab) => setState({ tab })}
          tabs={[
            {
              value: 'results' as const,
              label: 'Results',
              content: (
                <div className="partiql-answers">
                  {runs.length > 1 && (
                    <div className="partiql-switch">
                      <Choice
                        label="Statement"
                        shape="segments"
                        value={String(Math.min(active, runs.length - 1))}
                        options={runs.map(({ run }, at) => ({
                          value: String(at),
                          label: `${String(at + 1)} ${marks[run.state.status]}`,
                        }))}
                        onChange={(next) => setActive(Number(next))}
                      />
                      <code className="truncate">{shown?.request.input.Statement}</code>
                    </div>
                  )}
                  {shown === undefined ? (
                    <Nothing table={table} onPick={setStatement} />
                  ) : (
                    <ResultsPane
                      state={shown.run.state}
                      table={table}
                      keyShape={table === undefined ? undefined : keyShapeOf(table, '')}
                      region={scope.region}
                      isWhole
                      isConsistent={state.consistent}
                      callsPerSecond={state.calls}
                      onCallsPerSecond={(calls) => setState({ calls })}
                      isStale={ran !== asked}
                      isWrite={/^\s*(insert|update|delete)\b/i.test(shown.request.input.Statement ?? '')}
                      onMore={() => void shown.run.nextPage()}
                      onAll={() => void shown.run.readAll()}
                      onCancel={cancel}
                      empty={null}
                    />
                  )}
                </div>
              ),
            },
            {
              value: 'code' as const,
              label: 'Code',
              content: (
                <CodePane
                  requests={requests.slice(active, active + 1)}
                  noCall="The model client calls access patterns, and no statements."
                  language={state.lang}
                  onLanguage={(lang) => setState({ lang })}
                  target={state.target}
                  onTarget={(target) => setState({ target })}
                />
              ),
            },
          ]}
        />
      </div>
      {drawer !== undefined && (
        <KeptDrawer isOpen first={drawer} table={named} onClose={() => setDrawer(undefined)} />
      )}
      {isSaving && (
        <SaveDialog
          suggestion={statements[0]?.text.replaceAll(/\s+/g, ' ') ?? ''}
          onSave={(name) => {
            keep('saved', 'partiql', named ?? '', name)
            tell(`Saved “${name}”`)
          }}
          onClose={() => setSaving(false)}
        />
      )}
    </Page>
  )
}

const marks = { idle: '', running: '…', done: '✓', cancelled: '–', failed: '✗' } as const

function StatementBadge({
  facts: { kind, tableName, indexName, isWrite },
  isScan: scans,
  table,
  region,
}: {
  readonly facts: StatementFacts
  readonly isScan: boolean
  readonly table: TableDescription | undefined
  readonly region: string
}) {
  if (kind === 'malformed' || kind === 'unsupported') return <Badge>not a statement yet</Badge>
  if (isWrite) return <Badge tone="danger">{`${kind.toUpperCase()} writes to ${tableName ?? ''}`}</Badge>
  if (!scans || table === undefined) return <Badge tone="success">{`${kind.toUpperCase()} by key`}</Badge>
  const cost = scanCost(table, indexName ?? '', false, region)
  return (
    <Badge tone="warning">
      {`SELECT scans ${indexName ?? table.TableName}: ${plural(cost.itemCount, 'item')}, ${formatBytes(cost.sizeBytes)}, about ${formatUnits(cost.units)} units`}
    </Badge>
  )
}

function Parameters({
  count,
  parameters,
  problems,
  onChange,
}: {
  readonly count: number
  readonly parameters: readonly ParameterText[]
  readonly problems: readonly string[]
  readonly onChange: (parameters: readonly ParameterText[]) => void
}) {
  const all = Array.from({ length: Math.min(count, 50) }, (_, at) => parameters[at] ?? emptyParameter)
  const set = (at: number, changes: Partial<ParameterText>): void =>
    onChange(all.map((each, position) => (position === at ? { ...each, ...changes } : each)))
  return (
    <div className="partiql-parameters" role="group" aria-label="Parameters">
      {all.map(({ type, value }, at) => (
        <div key={at} className="partiql-parameter">
          <span className="mono muted">?{at + 1}</span>
          <Select
            aria-label={`Type of parameter ${String(at + 1)}`}
            value={type}
            options={valueTypes.map((each) => ({ value: each, label: typeNames[each] }))}
            onChange={(next) => set(at, { type: valueTypes.find((each) => each === next) ?? 'S' })}
          />
          {type !== 'NULL' && (
            <TextInput
              isMono
              spellCheck={false}
              aria-label={`Parameter ${String(at + 1)}`}
              value={value}
              onChange={(event) => set(at, { value: event.target.value })}
            />
          )}
        </div>
      ))}
      {problems[0] !== undefined && parameters.length > 0 && <p className="field-error">{problems[0]}</p>}
    </div>
  )
}

const emptyParameter: ParameterText = { type: 'S', value: '' }

interface ReadParameters {
  readonly values: readonly AttributeValue[]
  readonly problem: string | undefined
}

/** The values of each statement's question marks, which take the parameters in their order. */
function readAll(statements: readonly StatementText[], texts: readonly ParameterText[]): ReadParameters[] {
  let taken = 0
  return statements.map(({ parameterCount }) => {
    const values: AttributeValue[] = []
    let problem: string | undefined
    for (let at = taken; at < taken + parameterCount; at++) {
      const { type, value } = texts[at] ?? emptyParameter
      try {
        values.push(parseValue(value, type))
      } catch (error) {
        if (!(error instanceof TextMistake)) throw error
        problem ??= `Parameter ${String(at + 1)}: ${error.message}`
      }
    }
    taken += parameterCount
    return { values, problem }
  })
}

function requestOf(
  { text: Statement }: StatementText,
  values: readonly AttributeValue[],
  limit: string,
  isConsistent: boolean,
): ServiceRequest {
  const isSelect = /^\s*select\b/i.test(Statement)
  return {
    operation: 'ExecuteStatement',
    input: {
      Statement,
      ...(values.length > 0 && { Parameters: values }),
      ...(isConsistent && isSelect && { ConsistentRead: true }),
      ...(limit !== '' && Number(limit) > 0 && isSelect && { Limit: Number(limit) }),
    },
  }
}

function confirmWrites(statements: readonly StatementText[], known: readonly StatementFacts[]): Promise<boolean> {
  const writing = statements.filter((_, at) => known[at]?.isWrite === true)
  const hasDelete = known.some(({ kind }) => kind === 'delete')
  return confirm({
    title:
      writing.length === 1
        ? 'Run a statement that writes?'
        : `Run ${String(writing.length)} statements that write?`,
    action: writing.length === 1 ? 'Run it' : 'Run them',
    tone: hasDelete ? 'danger' : 'primary',
    body: (
      <div className="stack">
        <p>They are run one after the other; the first that is refused ends it. There is no undo.</p>
        {writing.slice(0, 5).map(({ text: words, start }) => (
          <pre key={start} className="code-block">
            {words.slice(0, 500)}
          </pre>
        ))}
      </div>
    ),
  })
}

function useCompletionNames(
  table: TableDescription | undefined,
  items: readonly Readonly<Record<string, unknown>>[] = [],
) {
  const tables = useTableNames().data ?? []
  const names = useRef<CompletionNames>({ tables: [], indexes: [], attributes: [] })
  const key = table === undefined ? undefined : keyShapeOf(table, '')
  const keys = new Map<string, string>()
  for (const { name } of key?.partition ?? []) keys.set(name, 'partition key')
  for (const { name } of key?.sort ?? []) keys.set(name, 'sort key')
  for (const { AttributeName } of table?.AttributeDefinitions ?? []) {
    if (!keys.has(AttributeName)) keys.set(AttributeName, 'key of an index')
  }
  for (const item of items.slice(0, 50)) {
    for (const name of Object.keys(item)) if (!keys.has(name) && keys.size < 200) keys.set(name, 'attribute')
  }
  names.current = {
    tables,
    indexes: [...(table?.GlobalSecondaryIndexes ?? []), ...(table?.LocalSecondaryIndexes ?? [])].map(
      ({ IndexName }) => ({
        table: table?.TableName ?? '',
        index: IndexName,
      }),
    ),
    attributes: [...keys].map(([name, detail]) => ({ name, detail })),
  }
  return names
}

/** Examples to begin with. */
function Nothing({
  table,
  onPick,
}: {
  readonly table: TableDescription | undefined
  readonly onPick: (statement: string) => void
}) {
  const key = table === undefined ? undefined : keyShapeOf(table, '')
  const hash = nameText(key?.partition[0]?.name ?? 'pk')
  const range = key?.sort[0] === undefined ? undefined : nameText(key.sort[0].name)
  const name = `"${table?.TableName ?? 'table'}"`
  const examples = [
    `SELECT * FROM ${name} WHERE ${hash} = ?`,
    ...(range === undefined ? [] : [`SELECT * FROM ${name} WHERE ${hash} = ? AND begins_with(${range}, ?)`]),
    `UPDATE ${name} SET note = ? WHERE ${hash} = ?${range === undefined ? '' : ` AND ${range} = ?`}`,
  ]
  return (
    <EmptyState icon={<Terminal />} title="SQL for a key-value table">
      PartiQL reads like SQL, and costs like DynamoDB: with the partition key in WHERE it is a Query, without it a
      Scan of everything. Several statements are separated by semicolons; values can be given as <code>?</code>.
      <ul className="partiql-examples">
        {examples.map((example) => (
          <li key={example}>
            <button type="button" className="partiql-example" onClick={() => onPick(example)}>
              {example}
            </button>
          </li>
        ))}
      </ul>
    </EmptyState>
  )
}

function checkParameters(value: unknown): readonly ParameterText[] {
  if (!Array.isArray(value)) return noParameters
  return value.slice(0, 50).map((entry: unknown) => {
    const { type, value: words } = (entry ?? {}) as Readonly<Record<string, unknown>>
    return {
      type: valueTypes.find((each) => each === type) ?? 'S',
      value: typeof words === 'string' ? words : '',
    }
  })
}
