import { validationException } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import { explainAccess, explainNeeds } from '../authorization/authorize.ts'
import { explainDecision, type ExplainedDecision } from '../authorization/explain-decision.ts'
import type { Need } from '../authorization/need.ts'
import { tableOfArn } from '../authorization/table-reference.ts'
import { findSimulated } from '../iam/find-simulated.ts'
import { assertPolicy } from '../iam/iam-errors.ts'
import { anybody, mostPolicyCharacters } from '../iam/simulate.ts'
import { principalOf } from '../identities/caller-policies.ts'
import type { CallingScope } from '../identities/calling-scope.ts'
import { contextOf, type ContextValue } from '../policies/context-values.ts'
import { iamTarget, policiesOf, readerOf, type AskedRequest, type Deciding } from './explain-request.ts'
import { knownIdentities } from './known-identities.ts'
import { NamedPolicies } from './named-policies.ts'

export interface Simulation {
  /** Whose policies; nobody's in particular if only `policies` are meant. */
  readonly principalArn?: string | undefined
  /** Documents besides the principal's own. */
  readonly policies: readonly string[]
  readonly asked: AskedRequest | AskedActions
  /** Values of condition keys that go before those of the request. */
  readonly context: Readonly<Record<string, ContextValue>>
}

/** Each action on each resource. */
export interface AskedActions {
  readonly actions: readonly string[]
  readonly resources: readonly string[]
}

const mostQuestions = 1000

/** What would be decided if somebody else asked, or if other policies applied. Nothing is carried out. Whoever asks must have the right to simulate; for the
 *  operator of the server (no `caller`), none is needed. */
export function simulateRequest(
  gate: Deciding,
  scope: Scope,
  caller: CallingScope | undefined,
  simulation: Simulation,
): readonly ExplainedDecision[] {
  const { principalArn, policies: documents, asked } = simulation
  assertMaySimulate(gate, caller, simulation)
  if (documents.reduce((sum, text) => sum + text.length, 0) > mostPolicyCharacters) {
    throw validationException(`The policies can have at most ${mostPolicyCharacters} characters together.`)
  }
  const { book, clock } = gate.identities
  const simulated = principalArn === undefined ? undefined : findSimulated(book, scope.accountId, principalArn)
  const policies = simulated === undefined ? new NamedPolicies() : policiesOf(gate, simulated)
  for (const [index, document] of documents.entries()) {
    assertPolicy(document, 'identity')
    policies.addIdentity(document, {
      name: documents.length === 1 ? 'pasted policy' : `pasted policy ${index + 1}`,
    })
  }
  const principal = simulated === undefined ? anybody(scope.accountId) : principalOf(simulated)
  const about = {
    facts: { principal, region: scope.region, isSecure: caller?.facts.isSecure ?? false, nowMs: clock.now() },
    policies: policies.applicable,
    tables: gate.tables,
  }
  const context = contextOf(simulation.context)
  const made =
    'actions' in asked
      ? explainNeeds(about, needsOfActions(asked), context)
      : explainAccess(
          {
            ...about,
            ...asked,
            scope,
            identities: simulated && asked.target === iamTarget ? knownIdentities(book, simulated) : undefined,
          },
          context,
        )
  const mayRead = readerOf(gate, caller, () => true)
  const explaining = { principal, nameOf: policies.nameOf, mayRead }
  return made.slice(0, mostQuestions).map((each) => explainDecision(each, explaining))
}

function assertMaySimulate(gate: Deciding, caller: CallingScope | undefined, simulation: Simulation): void {
  if (caller === undefined) return
  const { principalArn } = simulation
  if (principalArn === undefined) gate.assertMay(caller, iamTarget, 'SimulateCustomPolicy', {})
  else gate.assertMay(caller, iamTarget, 'SimulatePrincipalPolicy', { PolicySourceArn: principalArn })
}

function needsOfActions({ actions, resources }: AskedActions): readonly Need[] {
  if (actions.length * resources.length > mostQuestions) {
    throw validationException(`A simulation can combine at most ${mostQuestions} actions and resources.`)
  }
  return actions.flatMap((action) =>
    resources.map((resource) => {
      const table = tableOfArn(resource)
      return { action, resource, ...(table !== undefined && { table }) }
    }),
  )
}
