import { Check, X } from '../../icons/icons.generated.ts'
import type { DecidingCondition, DecidingStatement, Decision, PolicyKind } from '../../api/decisions.ts'
import { plural } from '../../values/format.ts'
import { ScrollRegion } from '../page/scroll-region.tsx'
import { Badge } from '../values/badge.tsx'
import { verdictOf } from './verdict.ts'
import './decision-list.css'

const mostShown = 50

/** Decisions, each with the statements that made it. */
export function DecisionList({
  decisions,
  who,
}: {
  readonly decisions: readonly Decision[]
  readonly who: string
}) {
  return (
    <div className="decisions">
      {decisions.slice(0, mostShown).map((decision, position) => (
        // A request may need the same twice.
        // oxlint-disable-next-line react/no-array-index-key
        <DecisionCard key={position} decision={decision} who={who} />
      ))}
      {decisions.length > mostShown && (
        <p className="muted">{plural(decisions.length - mostShown, 'further decision')} not shown.</p>
      )}
    </div>
  )
}

function DecisionCard({ decision, who }: { readonly decision: Decision; readonly who: string }) {
  const { action, resource, outcome, statements, unmet, missingKeys } = decision
  const isAllowed = outcome === 'allowed'
  return (
    <section className="decision">
      <header className="decision-head">
        <Badge tone={isAllowed ? 'success' : 'danger'}>{isAllowed ? 'allowed' : 'denied'}</Badge>
        <h3 className="decision-action mono">{action}</h3>
      </header>
      <p className="decision-resource mono">{resource}</p>
      <p>{verdictOf(decision, who)}</p>
      {statements.map((statement, position) => (
        // oxlint-disable-next-line react/no-array-index-key
        <StatementView key={position} statement={statement} />
      ))}
      {!isAllowed && unmet.length > 0 && (
        <>
          <p className="decision-part">
            {plural(unmet.length, 'statement')} about this action and resource did not apply, because a condition
            does not hold:
          </p>
          {unmet.map((statement, position) => (
            // oxlint-disable-next-line react/no-array-index-key
            <StatementView key={position} statement={statement} />
          ))}
        </>
      )}
      {missingKeys.length > 0 && (
        <p className="decision-part">
          Conditions ask for context keys that the request does not have:{' '}
          {missingKeys.map((key) => (
            <code key={key} className="decision-key">
              {key}
            </code>
          ))}
        </p>
      )}
    </section>
  )
}

const kinds: Readonly<Record<PolicyKind, string>> = {
  identity: 'identity-based policy',
  resource: 'resource-based policy',
  boundary: 'permissions boundary',
  session: 'session policy',
}

function StatementView({ statement: told }: { readonly statement: DecidingStatement }) {
  const { kind, policy, number, statement, conditions = [] } = told
  if (policy === undefined || statement === undefined) {
    return <p className="decision-hidden">A statement of a {kinds[kind]} that you may not read.</p>
  }
  const sid = statement['Sid']
  return (
    <details className="decision-statement">
      <summary>
        <span className="mono">{policy.name}</span>
        {policy.holder !== undefined && <span className="muted"> of the {policy.holder}</span>}
        <span className="muted">
          , statement {number}
          {typeof sid === 'string' && ` (${sid})`}, {kinds[kind]}
        </span>
      </summary>
      <ScrollRegion label={`Statement ${String(number)} of ${policy.name}`}>
        <pre className="decision-text mono">{JSON.stringify(statement, null, 2)}</pre>
      </ScrollRegion>
      {conditions.length > 0 && <Conditions conditions={conditions} />}
    </details>
  )
}

function Conditions({ conditions }: { readonly conditions: readonly DecidingCondition[] }) {
  return (
    <ul className="decision-conditions">
      {conditions.map(({ operator, key, values, sent, holds }) => (
        <li key={`${operator} ${key}`} className={holds ? 'decision-holds' : 'decision-fails'}>
          {holds ? <Check aria-label="holds" /> : <X aria-label="does not hold" />}
          <span>
            <code>{key}</code> is {sent === null ? 'missing' : <Values values={sent} />}
            <span className="muted">
              {' '}
              · {operator} <Values values={values} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}

function Values({ values }: { readonly values: readonly string[] }) {
  if (values.length === 0) return <>empty</>
  return <code>{values.slice(0, 20).join(', ') + (values.length > 20 ? ', …' : '')}</code>
}
