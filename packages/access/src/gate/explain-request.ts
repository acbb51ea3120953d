import { ServiceError } from '@hashrange/core'
import { explainAccess } from '../authorization/authorize.ts'
import { explainDecision, type ExplainedDecision } from '../authorization/explain-decision.ts'
import type { KnownTables, Need } from '../authorization/need.ts'
import { documentsOf, principalOf, sessionDocuments } from '../identities/caller-policies.ts'
import type { CallingScope } from '../identities/calling-scope.ts'
import type { Identities } from '../identities/identities.ts'
import type { Caller } from '../identities/principal.ts'
import type { KindOfPolicy } from '../policies/evaluate.ts'
import { principalArn } from '../policies/principal.ts'
import { knownIdentities } from './known-identities.ts'
import { NamedPolicies } from './named-policies.ts'

/** An operation with its input, as it would be sent. */
export interface AskedRequest {
  readonly target: string
  readonly operation: string
  readonly body: unknown
}

export interface Explanation {
  readonly decisions: readonly ExplainedDecision[]
  /** Whether the caller may see which statements of its policies decide. */
  readonly maySeeStatements: boolean
}

/** What is asked about decisions. */
export interface Deciding {
  readonly identities: Identities
  readonly tables: KnownTables
  assertMay(scope: CallingScope, target: string, operation: string, body: unknown): void
}

/** What a caller's own request needs, and which statements decide about it. Anybody may know what was decided. The statements are for those
 *  who could find them out through IAM: by simulating their own policies, or by reading the policy of the table. */
export function explainRequest(
  gate: Deciding,
  scope: CallingScope,
  { target, operation, body }: AskedRequest,
): Explanation {
  const { caller, facts, accountId, region } = scope
  const { book } = gate.identities
  const policies = policiesOf(gate, caller)
  const made = explainAccess({
    facts,
    policies: policies.applicable,
    scope: { accountId, region },
    target,
    operation,
    body,
    tables: gate.tables,
    identities: target === iamTarget ? knownIdentities(book, caller) : undefined,
  })
  const maySeeStatements = maySimulateThemselves(gate, scope)
  const mayRead = readerOf(gate, scope, () => maySeeStatements)
  const explaining = { principal: facts.principal, nameOf: policies.nameOf, mayRead }
  return { decisions: made.map((each) => explainDecision(each, explaining)), maySeeStatements }
}

/** Whether a caller may see its own policies at work. */
function maySimulateThemselves(gate: Deciding, scope: CallingScope): boolean {
  if (scope.caller.kind === 'root') return true
  return isAllowed(() =>
    gate.assertMay(scope, iamTarget, 'SimulatePrincipalPolicy', {
      PolicySourceArn: principalArn(principalOf(scope.caller)),
      ActionNames: [],
    }),
  )
}

/** Policies of the principal are shown if `isOwn` says so, those of a table to whoever may read them there. */
export function readerOf(
  gate: Deciding,
  scope: CallingScope | undefined,
  isOwn: () => boolean,
): (kind: KindOfPolicy, need: Need) => boolean {
  const known = new Map<string, boolean>()
  return (kind, { resource, table }) => {
    if (kind !== 'resource') return isOwn()
    if (scope === undefined) return true
    const arn = resource.includes('/stream/') ? resource : (table?.arn ?? resource)
    let may = known.get(arn)
    if (may === undefined) {
      may = isAllowed(() => gate.assertMay(scope, 'DynamoDB_20120810', 'GetResourcePolicy', { ResourceArn: arn }))
      known.set(arn, may)
    }
    return may
  }
}

/** All that applies to a caller, with its names. */
export function policiesOf(gate: Deciding, caller: Caller): NamedPolicies {
  const { book } = gate.identities
  const { identity, boundary } = documentsOf(book, caller)
  const policies = new NamedPolicies()
  for (const { name, holder, document } of identity) policies.addIdentity(document, { name, holder })
  if (boundary !== undefined) policies.setBoundary(boundary, { name: boundaryName(caller) })
  const session = sessionDocuments(book, caller)
  if (session !== undefined) policies.setSession(session)
  return policies
}

function boundaryName(caller: Caller): string {
  if (caller.kind === 'root') return ''
  const { boundary = '' } = caller.kind === 'role' ? caller.role : caller.user
  return boundary.slice(boundary.lastIndexOf('/') + 1)
}

export const iamTarget = 'AWSIdentityManagementV20100508'

function isAllowed(assert: () => void): boolean {
  try {
    assert()
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}
