import { DeskPage } from '../query/desk-page.tsx'
import { CodePane } from '../query/results/code-pane.tsx'
import { ResultTabs } from '../query/results/result-tabs.tsx'
import { partiqlSchema } from './partiql-url.ts'
import { StatementEditor } from './statement-editor.tsx'
import { StatementResults } from './statement-results.tsx'
import { useStatementDesk } from './use-statement-desk.ts'

/** Statements of PartiQL: written above, their answers below. */
export function PartiqlDesk({ table: chosen }: { readonly table: string | undefined }) {
  const desk = useStatementDesk(chosen)
  const { asked, runs, active } = desk
  const { state, setState } = asked
  const shownAt = Math.min(active, runs.length - 1)
  return (
    <DeskPage
      view="partiql"
      title="PartiQL"
      subject="statements"
      table={asked.tableName}
      suggestion={asked.suggestion}
      onRun={desk.run}
      tabs={partiqlSchema.tab.options}
      onTab={(tab) => setState({ tab })}
    >
      <StatementEditor desk={desk} chosen={chosen} items={runs[shownAt]?.run.state.items} />
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
                isStale={desk.isStale}
                onActive={desk.setActive}
                onCancel={desk.cancel}
                onExample={desk.setStatement}
              />
            ),
            code: (
              <CodePane
                requests={asked.requests.slice(active, active + 1)}
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
