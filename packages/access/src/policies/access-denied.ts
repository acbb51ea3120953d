import { ServiceError } from '@hashrange/core'
import type { AccessDecision, KindOfPolicy } from './evaluate.ts'
import type { Principal } from './principal.ts'

/** The refusal of a request, in the service's words. `action` is written as the service writes it. */
export function accessDenied(
  { arn }: Principal,
  action: string,
  resource: string,
  decision: AccessDecision,
): ServiceError {
  const start = `User: ${arn} is not authorized to perform: ${action} on resource: ${resource}`
  return new ServiceError('AccessDeniedException', `${start} ${reasonOf(action, decision)}`)
}

function reasonOf(action: string, { outcome, by }: AccessDecision): string {
  const kind = by === 'root' ? 'identity' : by
  return outcome === 'explicit-deny'
    ? `with an explicit deny in ${articles[kind]} ${kinds[kind]}`
    : `because no ${kinds[kind]} allows the ${action} action`
}

const kinds: Readonly<Record<KindOfPolicy, string>> = {
  identity: 'identity-based policy',
  resource: 'resource-based policy',
  boundary: 'permissions boundary',
  session: 'session policy',
}

const articles: Readonly<Record<KindOfPolicy, string>> = {
  identity: 'an',
  resource: 'a',
  boundary: 'a',
  session: 'a',
}
