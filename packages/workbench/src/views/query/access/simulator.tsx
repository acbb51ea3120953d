import { Plus, ShieldQuestion, X } from '../../../icons/icons.generated.ts'
import { useState } from 'react'
import type { AskedOperation } from '../../../api/api.ts'
import { simulateAccess, type Decision } from '../../../api/decisions.ts'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { Choice, Field, TextArea, TextInput } from '../../../components/controls/field.tsx'
import { DecisionList } from '../../../components/access/decision-list.tsx'
import { CodeEditor } from '../../../components/code/code-editor.tsx'
import { ErrorBox } from '../../../components/messages/notices.tsx'
import { useAttempt } from '../../../components/messages/use-attempt.ts'
import { useScope } from '../../../state/scope.tsx'
import { PrincipalField } from './principal-field.tsx'
import { contextOf, isComplete, readSimulation, type ContextRow, type SimulationDraft } from './simulation-draft.ts'

const whose = [
  { value: 'principal', label: 'A user or role' },
  { value: 'policy', label: 'A policy' },
] as const

const abouts = [
  { value: 'request', label: 'The query on the left' },
  { value: 'actions', label: 'Actions and resources' },
] as const

const examplePolicy = `{
  "Version": "2012-10-17",
  "Statement": [
    { "Effect": "Allow", "Action": "dynamodb:Query", "Resource": "*" }
  ]
}`

/** What would be decided if somebody else asked, or under a policy that is not attached to anybody yet. */
export function Simulator({
  request,
  resource,
}: {
  readonly request: AskedOperation | undefined
  readonly resource: string
}) {
  const scope = useScope()
  const [draft, setDraft] = useState<SimulationDraft>({
    whose: 'principal',
    principalArn: '',
    policy: examplePolicy,
    about: 'request',
    actions: 'dynamodb:Query',
    resources: resource,
    context: [],
  })
  const [made, setMade] = useState<{
    readonly decisions: readonly Decision[]
    readonly of: string
    readonly who: string
  }>()
  const { attempt, isBusy, error } = useAttempt()
  const change = (changes: Partial<SimulationDraft>): void => setDraft({ ...draft, ...changes })
  const simulation = readSimulation(draft, request)
  const asked = JSON.stringify(simulation)
  const simulate = (): void => {
    void attempt(async () => {
      const decisions = await simulateAccess(scope, simulation)
      const who = draft.whose === 'principal' ? draft.principalArn.replace(/^.*\//, '') : 'this principal'
      setMade({ decisions, of: asked, who })
    })
  }
  const known = new Set(Object.keys(contextOf(draft.context)))
  const missing = [...new Set((made?.decisions ?? []).flatMap(({ missingKeys }) => missingKeys))].filter(
    (key) => !known.has(key),
  )
  return (
    <section className="stack">
      <h2 className="access-title">Policy simulator</h2>
      <p className="muted">
        Checks a request against policies, as <code>SimulatePrincipalPolicy</code> does. Nothing is read or written.
      </p>
      <Choice
        label="Whose policies"
        shape="segments"
        value={draft.whose}
        options={whose}
        onChange={(next) => change({ whose: next })}
      />
      {draft.whose === 'principal' ? (
        <PrincipalField arn={draft.principalArn} onChange={(principalArn) => change({ principalArn })} />
      ) : (
        <div className="access-policy">
          <CodeEditor
            label="Policy"
            language="json"
            value={draft.policy}
            onChange={(policy) => change({ policy })}
            heightPx={160}
          />
        </div>
      )}
      <Choice
        label="What is asked for"
        shape="segments"
        value={draft.about}
        options={abouts}
        onChange={(about) => change({ about })}
      />
      {draft.about === 'actions' && (
        <div className="access-pair">
          <Field label="Actions" hint="One on each line.">
            <TextArea
              className="mono"
              rows={2}
              value={draft.actions}
              onChange={(event) => change({ actions: event.target.value })}
            />
          </Field>
          <Field label="Resources" hint="One ARN on each line.">
            <TextArea
              className="mono"
              rows={2}
              value={draft.resources}
              onChange={(event) => change({ resources: event.target.value })}
            />
          </Field>
        </div>
      )}
      {draft.about === 'request' && request === undefined && (
        <p className="muted">The query on the left is not complete yet.</p>
      )}
      <ContextRows rows={draft.context} onChange={(context) => change({ context })} />
      <div className="row access-actions">
        <Button
          tone="primary"
          icon={<ShieldQuestion />}
          isBusy={isBusy}
          disabled={!isComplete(draft, request)}
          onClick={simulate}
        >
          Simulate
        </Button>
        <Button icon={<Plus />} onClick={() => change({ context: [...draft.context, { key: '', values: '' }] })}>
          Add a context key
        </Button>
        {missing.slice(0, 5).map((key) => (
          <Button
            key={key}
            tone="quiet"
            icon={<Plus />}
            onClick={() => change({ context: [...draft.context, { key, values: '' }] })}
          >
            {key}
          </Button>
        ))}
      </div>
      {error !== undefined && <ErrorBox error={error} />}
      {made !== undefined && error === undefined && (
        <div className="stack" role="status" aria-label="Simulated decisions">
          {made.of !== asked && <p className="muted">Something has changed since. Simulate again.</p>}
          <DecisionList decisions={made.decisions} who={made.who} />
        </div>
      )}
    </section>
  )
}

function ContextRows({
  rows,
  onChange,
}: {
  readonly rows: readonly ContextRow[]
  readonly onChange: (rows: readonly ContextRow[]) => void
}) {
  const change = (position: number, changes: Partial<ContextRow>): void =>
    onChange(rows.map((row, at) => (at === position ? { ...row, ...changes } : row)))
  return rows.map(({ key, values }, position) => (
    // Rows have no names of their own while they are typed.
    // oxlint-disable-next-line react/no-array-index-key
    <div key={position} className="access-context">
      <TextInput
        isMono
        aria-label={`Context key ${position + 1}`}
        placeholder="aws:SourceIp"
        value={key}
        onChange={(event) => change(position, { key: event.target.value })}
      />
      <TextInput
        isMono
        aria-label={`Values of context key ${position + 1}`}
        placeholder="values, separated by commas"
        value={values}
        onChange={(event) => change(position, { values: event.target.value })}
      />
      <IconButton
        label={`Remove context key ${position + 1}`}
        icon={<X />}
        onClick={() => onChange(rows.filter((_, at) => at !== position))}
      />
    </div>
  ))
}
