import { Choice } from '../../components/controls/field.tsx'
import { useScope } from '../../state/scope.tsx'
import { keyShapeOf } from '../query/draft/key-schema.ts'
import { ResultsPane } from '../query/results/results-pane.tsx'
import { ExampleStatements } from './example-statements.tsx'
import type { AskedStatements } from './use-asked-statements.ts'
import type { StatementRun } from './use-statement-runs.ts'

export interface StatementResultsProps {
  readonly asked: AskedStatements
  readonly runs: readonly StatementRun[]
  /** Which of the runs is shown. */
  readonly active: number
  readonly isStale: boolean
  readonly onActive: (at: number) => void
  readonly onCancel: () => void
  readonly onExample: (statement: string) => void
}

/** The answers, of one statement at a time. */
export function StatementResults(props: StatementResultsProps) {
  const { asked, runs, active, isStale, onActive, onCancel, onExample } = props
  const { table, state, setState } = asked
  const { region } = useScope()
  const shown = runs[active]
  return (
    <div className="partiql-answers">
      {runs.length > 1 && (
        <div className="partiql-switch">
          <Choice
            label="Statement"
            shape="segments"
            value={String(active)}
            options={runs.map(({ run }, at) => ({
              value: String(at),
              label: `${String(at + 1)} ${marks[run.state.status]}`,
            }))}
            onChange={(next) => onActive(Number(next))}
          />
          <code className="truncate">{shown?.request.input.Statement}</code>
        </div>
      )}
      {shown === undefined ? (
        <ExampleStatements table={table} onPick={onExample} />
      ) : (
        <ResultsPane
          state={shown.run.state}
          table={table}
          keyShape={table === undefined ? undefined : keyShapeOf(table, '')}
          region={region}
          isWhole
          isConsistent={state.consistent}
          callsPerSecond={state.calls}
          onCallsPerSecond={(calls) => setState({ calls })}
          isStale={isStale}
          isWrite={/^\s*(insert|update|delete)\b/i.test(shown.request.input.Statement ?? '')}
          onMore={() => void shown.run.nextPage()}
          onAll={() => void shown.run.readAll()}
          onCancel={onCancel}
          empty={null}
        />
      )}
    </div>
  )
}

const marks = { idle: '', running: '…', done: '✓', cancelled: '–', failed: '✗' } as const
