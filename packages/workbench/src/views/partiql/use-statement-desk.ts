import { useEffect, useRef, useState } from 'react'
import { useInfo, useRefresh } from '../../api/queries.ts'
import type { EditorProblem } from '../../components/code/code-editor.tsx'
import { useScope } from '../../state/scope.tsx'
import { useKeptQueries } from '../query/kept/use-kept-queries.ts'
import { confirmScan } from '../query/run/confirm-scan.tsx'
import { confirmWrites } from './confirm-writes.tsx'
import { placed, readStatement } from './read-statement.ts'
import { splitStatements } from './split-statements.ts'
import { useAskedStatements, type AskedStatements } from './use-asked-statements.ts'
import { useStatementRuns } from './use-statement-runs.ts'

/** The statements that are written, and those that were run. */
export interface StatementDesk extends Pick<ReturnType<typeof useStatementRuns>, 'runs' | 'cancel' | 'isRunning'> {
  readonly asked: AskedStatements
  readonly active: number
  readonly setActive: (active: number) => void
  /** Whether what is written is no longer what was run. */
  readonly isStale: boolean
  /** Why the statements were not run. */
  readonly refusal: string | undefined
  /** Runs them, after asking where it writes or reads everything. */
  readonly run: () => void
  readonly edit: (changes: Partial<Omit<AskedStatements['state'], 'run'>>) => void
  readonly setStatement: (statement: string) => void
  /** The mistakes in a text, and what the service said of it. */
  readonly check: (source: string) => readonly EditorProblem[]
  /** Changes when a text that was checked has to be checked again. */
  readonly checkAgain: string
}

export function useStatementDesk(chosen: string | undefined): StatementDesk {
  const asked = useAskedStatements(chosen)
  const { state, setState, statements, known, tableName, table, requests, scans, hasWrites } = asked
  const isReadOnly = useInfo()?.readOnly === true
  const scope = useScope()
  const refresh = useRefresh()
  const { runs, start, cancel, isRunning } = useStatementRuns()
  const { keep } = useKeptQueries()
  const [active, setActive] = useState(0)
  const [ran, setRan] = useState('')
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
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
    const problem = refusalOf(asked, isReadOnly)
    if (problem !== undefined) return setRefusal(problem)
    if (hasWrites && !(await confirmWrites(statements, known))) return
    const scan = scans.indexOf(true)
    if (scan >= 0 && table !== undefined) {
      const index = known[scan]?.indexName ?? ''
      if (!(await confirmScan(table, index, state.consistent, state.calls, scope))) return
    }
    setState({ run: !hasWrites && scan < 0, tab: 'results' })
    keep('history', 'partiql', tableName ?? '', asked.title)
    await begin()
  }
  // What was run stays a step of the history: a change of it begins the next one.
  const isRun = ran !== '' && ran === sent
  const edit: StatementDesk['edit'] = (changes) => setState({ ...changes, run: false }, { push: isRun })
  const setStatement = (s: string): void => {
    setRefusal(undefined)
    edit({ s })
  }
  const latest = useRef({ runNow, begin })
  latest.current = { runNow, begin }
  // A link that was made by running runs again if it only reads, and by key.
  const isAutomatic =
    state.run && ran !== sent && statements.length > 0 && !hasWrites && table !== undefined && !scans.includes(true)
  useEffect(() => {
    if (isAutomatic) void latest.current.begin()
  }, [isAutomatic])

  const failed = runs.findIndex((each) => each.run.state.status === 'failed')
  const check = (source: string): readonly EditorProblem[] =>
    splitStatements(source).flatMap((statement, at) => {
      const { problem } = readStatement(statement)
      if (problem !== undefined) return [problem]
      const error = at === failed && source === state.s ? runs[failed]?.run.state.error : undefined
      return error instanceof Error && ran === sent ? [placed(statement, error.message)] : []
    })
  return {
    asked,
    runs,
    cancel,
    isRunning,
    active,
    setActive,
    isStale: ran !== sent,
    refusal,
    run: () => void latest.current.runNow(),
    edit,
    setStatement,
    check,
    checkAgain: `${ran} ${String(failed)}`,
  }
}

/** Why statements cannot be run as they are. */
function refusalOf(asked: AskedStatements, isReadOnly: boolean): string | undefined {
  if (asked.statements.length === 0) return 'Write a statement first.'
  const mistake = asked.known.find(({ problem }) => problem !== undefined)?.problem
  if (mistake !== undefined) return mistake.message
  if (asked.parameterProblem !== undefined) return asked.parameterProblem
  return asked.hasWrites && isReadOnly
    ? 'This workbench is read-only, so it only runs SELECT. To change data, start hashrange without --workbench-read-only.'
    : undefined
}
