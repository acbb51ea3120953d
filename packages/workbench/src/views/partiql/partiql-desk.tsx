import { useEffect, useMemo, useRef, useState } from 'react'
import { useInfo, useRefresh } from '../../api/queries.ts'
import { Badge } from '../../components/values/badge.tsx'
import { CodeEditor } from '../../components/code/code-editor.tsx'
import { Checkbox, TextInput } from '../../components/controls/field.tsx'
import { ErrorBox } from '../../components/messages/notices.tsx'
import { useScope } from '../../state/scope.tsx'
import { CodePane } from '../query/results/code-pane.tsx'
import { confirmScan } from '../query/run/confirm-scan.tsx'
import { DeskPage } from '../query/desk-page.tsx'
import { ResultTabs } from '../query/results/result-tabs.tsx'
import { RunButton } from '../query/run/run-button.tsx'
import { useKeptQueries } from '../query/kept/use-kept-queries.ts'
import { completePartiql } from './complete-partiql.ts'
import { confirmWrites } from './confirm-writes.tsx'
import { ParameterFields } from './parameter-fields.tsx'
import { partiqlSchema } from './partiql-url.ts'
import { placed, readStatement } from './read-statement.ts'
import { splitStatements } from './split-statements.ts'
import { StatementBadge } from './statement-badge.tsx'
import { StatementResults } from './statement-results.tsx'
import { useAskedStatements, type AskedStatements } from './use-asked-statements.ts'
import { useCompletionNames } from './use-completion-names.ts'
import { useStatementRuns } from './use-statement-runs.ts'

/** Statements of PartiQL: written above, their answers below. */
export function PartiqlDesk({ table: chosen }: { readonly table: string | undefined }) {
  const asked = useAskedStatements(chosen)
  const { state, setState, statements, known, tableName, table, requests, scans, hasWrites } = asked
  const info = useInfo()
  const { region } = useScope()
  const refresh = useRefresh()
  const { runs, start, cancel, isRunning } = useStatementRuns()
  const [active, setActive] = useState(0)
  const [ran, setRan] = useState('')
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
  const { keep } = useKeptQueries()
  const shownAt = Math.min(active, runs.length - 1)
  const sent = JSON.stringify(requests)

  const begin = async (): Promise<void> => {
    setRan(sent)
    setActive(0)
    setRefusal(undefined)
    await start(requests)
    if (hasWrites) await refresh()
  }
  const runNow = async (): Promise<void> => {
    if (isRunning) return
    const problem =
      statements.length === 0
        ? 'Write a statement first.'
        : (known.find((each) => each.problem !== undefined)?.problem?.message ?? asked.parameterProblem)
    if (problem !== undefined) return setRefusal(problem)
    if (hasWrites && info?.readOnly === true) {
      return setRefusal(
        'This workbench is read-only, so it only runs SELECT. To change data, start hashrange without --workbench-read-only.',
      )
    }
    if (hasWrites && !(await confirmWrites(statements, known))) return
    const scan = scans.indexOf(true)
    if (scan >= 0 && table !== undefined) {
      const index = known[scan]?.indexName ?? ''
      if (!(await confirmScan(table, index, state.consistent, state.calls, region))) return
    }
    setState({ run: !hasWrites && scan < 0, tab: 'results' })
    keep('history', 'partiql', tableName ?? '', asked.title)
    await begin()
  }
  // What was run stays a step of the history: a change of it begins the next one.
  const isRun = ran !== '' && ran === sent
  const edit = (changes: Partial<Omit<AskedStatements['state'], 'run'>>): void =>
    setState({ ...changes, run: false }, { push: isRun })
  const latest = useRef({ runNow, begin })
  latest.current = { runNow, begin }
  // A link that was made by running runs again if it only reads, and by key.
  const isAutomatic =
    state.run && ran !== sent && statements.length > 0 && !hasWrites && table !== undefined && !scans.includes(true)
  useEffect(() => {
    if (isAutomatic) void latest.current.begin()
  }, [isAutomatic])

  const names = useCompletionNames(table, runs[shownAt]?.run.state.items)
  const complete = useMemo(() => completePartiql(() => names.current), [names])
  const failed = runs.findIndex(({ run }) => run.state.status === 'failed')
  const check = (source: string) =>
    splitStatements(source).flatMap((statement, at) => {
      const { problem } = readStatement(statement)
      if (problem !== undefined) return [problem]
      const error = at === failed && source === state.s ? runs[failed]?.run.state.error : undefined
      return error instanceof Error && ran === sent ? [placed(statement, error.message)] : []
    })
  const setStatement = (s: string): void => {
    setRefusal(undefined)
    edit({ s })
  }

  return (
    <DeskPage
      view="partiql"
      title="PartiQL"
      subject="statements"
      table={tableName}
      suggestion={asked.suggestion}
      onRun={() => void runNow()}
      tabs={partiqlSchema.tab.options}
      onTab={(tab) => setState({ tab })}
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
        {asked.parameterCount > 0 && (
          <ParameterFields
            count={asked.parameterCount}
            parameters={state.p}
            problem={asked.parameterProblem}
            onChange={(p) => edit({ p })}
          />
        )}
        <div className="partiql-bar">
          <div className="partiql-facts" role="status">
            {known.slice(0, 4).map((facts, at) => (
              <StatementBadge key={at} facts={facts} isScan={scans[at] === true} table={table} region={region} />
            ))}
            {known.length > 4 && <Badge>{`and ${String(known.length - 4)} more`}</Badge>}
          </div>
          <label className="partiql-limit">
            Limit
            <TextInput
              value={state.limit}
              inputMode="numeric"
              placeholder="1 MB"
              onChange={(event) => edit({ limit: event.target.value.replaceAll(/\D/g, '') })}
            />
          </label>
          <Checkbox
            label="Consistent"
            checked={state.consistent}
            onChange={(event) => edit({ consistent: event.target.checked })}
          />
          <RunButton isRunning={isRunning} onRun={() => void runNow()} onCancel={cancel} />
        </div>
        {refusal !== undefined && <ErrorBox error={refusal} />}
      </div>
      <div className="query-result partiql-result">
        <ResultTabs
          tab={state.tab}
          tabs={partiqlSchema.tab.options}
          onTab={(tab) => setState({ tab })}
          panes={{
            results: (
              <StatementResults
                asked={asked}
                runs={runs}
                active={shownAt}
                isStale={ran !== sent}
                onActive={setActive}
                onCancel={cancel}
                onExample={setStatement}
              />
            ),
            code: (
              <CodePane
                requests={requests.slice(active, active + 1)}
                noCall="The model client can call access patterns, but not statements."
                choice={state}
                onChoice={setState}
              />
            ),
          }}
        />
      </div>
    </DeskPage>
  )
}
