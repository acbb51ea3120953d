import { useMemo } from 'react'
import type { Item } from '@hashrange/core'
import { CodeEditor } from '../../components/code/code-editor.tsx'
import { Checkbox, TextInput } from '../../components/controls/field.tsx'
import { Notice } from '../../components/messages/notices.tsx'
import { Badge } from '../../components/values/badge.tsx'
import { useScope } from '../../state/scope.tsx'
import { RunButton } from '../query/run/run-button.tsx'
import { completePartiql } from './complete-partiql.ts'
import { ParameterFields } from './parameter-fields.tsx'
import { StatementBadge } from './statement-badge.tsx'
import { useCompletionNames } from './use-completion-names.ts'
import type { StatementDesk } from './use-statement-desk.ts'

/** Where statements are written, with their parameters, what is known of them, and how they are run. */
export function StatementEditor({
  desk,
  chosen,
  items,
}: {
  readonly desk: StatementDesk
  /** The table of the address. */
  readonly chosen: string | undefined
  /** Those that are shown: their attributes can be completed. */
  readonly items: readonly Item[] | undefined
}) {
  const { asked, edit } = desk
  const names = useCompletionNames(asked.table, items)
  const complete = useMemo(() => completePartiql(() => names.current), [names])
  return (
    <div className="partiql-top">
      <CodeEditor
        label="Statements"
        language="sql"
        heightPx={150}
        value={asked.state.s}
        onChange={desk.setStatement}
        check={desk.check}
        checkAgain={desk.checkAgain}
        complete={complete}
        onRun={desk.run}
        placeholder={`SELECT * FROM "${chosen ?? 'table'}" WHERE …`}
      />
      {asked.parameterCount > 0 && (
        <ParameterFields
          count={asked.parameterCount}
          parameters={asked.state.p}
          problem={asked.parameterProblem}
          onChange={(p) => edit({ p })}
        />
      )}
      <StatementBar desk={desk} />
      {desk.refusal !== undefined && (
        <div role="alert">
          <Notice tone="warning">{desk.refusal}</Notice>
        </div>
      )}
    </div>
  )
}

function StatementBar({ desk }: { readonly desk: StatementDesk }) {
  const { asked, edit } = desk
  const { state, known, scans, table } = asked
  const { region } = useScope()
  return (
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
      <RunButton isRunning={desk.isRunning} onRun={desk.run} onCancel={desk.cancel} />
    </div>
  )
}
