import { ServiceError } from '@hashrange/core'
import { RequestContext } from '../authorization/request-context.ts'
import { CallerPolicies } from '../identities/caller-policies.ts'
import type { CallingScope } from '../identities/calling-scope.ts'
import { accessDenied } from '../policies/access-denied.ts'
import { evaluate } from '../policies/evaluate.ts'
import type { Identities } from '../identities/identities.ts'

/** `hashrange:Read` is for what changes nothing, and `hashrange:Operate` for the rest. */
export type OperatorAction = 'hashrange:Read' | 'hashrange:Operate'

const policiesOf = new WeakMap<Identities, CallerPolicies>()

/** Throws unless a caller may use what concerns the whole server. That is for the account of the first administrator alone. `path` is what is used, such as `/metrics`. */
export function assertMayOperate(
  { identities }: { readonly identities: Identities },
  { accountId, region, caller, facts }: CallingScope,
  action: OperatorAction,
  path: string,
): void {
  const { book } = identities
  const resource = `arn:aws:hashrange:${region}:${accountId}:${path.slice(1)}`
  if (accountId !== book.homeAccountId) {
    throw new ServiceError(
      'AccessDeniedException',
      `User: ${facts.principal.arn} is not authorized to perform: ${action} on resource: ${resource} because it is not in the account of the first administrator`,
    )
  }
  const policies = policiesOf.get(identities) ?? new CallerPolicies()
  policiesOf.set(identities, policies)
  const decision = evaluate({
    principal: facts.principal,
    action: action.toLowerCase(),
    resource,
    context: new RequestContext(facts, { action, resource }, undefined),
    policies: policies.of(book, caller),
  })
  if (decision.outcome !== 'allowed') throw accessDenied(facts.principal, action, resource, decision)
}
