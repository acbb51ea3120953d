import type { Principal } from './principal.ts'
import type { PrincipalElement } from './policy-document.ts'

/** How closely a statement names a principal, which decides what else may still limit it. `account` only entrusts the account with it;
 *  nothing if the statement is about others. */
export type NamedAs = 'self' | 'role' | 'everyone' | 'account'

export type MatchPrincipal = (principal: Principal) => NamedAs | undefined

export function compilePrincipal(element: PrincipalElement, effect: 'Allow' | 'Deny'): MatchPrincipal {
  const named = new Set(element.aws)
  return element.negated ? compileOthers(element, named, effect) : compileNamed(element, named)
}

function compileNamed({ everyone }: PrincipalElement, named: ReadonlySet<string>): MatchPrincipal {
  return (principal) => {
    if (named.size > 0) {
      if (isNamed(named, principal.arn, principal)) return principal.kind === 'root' ? 'account' : 'self'
      if (principal.roleArn !== undefined && isNamed(named, principal.roleArn, principal)) return 'role'
    }
    if (everyone) return 'everyone'
    return namesAccount(named, principal.accountId) ? 'account' : undefined
  }
}

/** `NotPrincipal`. A denial spares a principal only if its account, its role and it itself are all named, as the
 *  documentation demands; an allowance passes over whoever is named at all. */
function compileOthers(
  { everyone }: PrincipalElement,
  named: ReadonlySet<string>,
  effect: 'Allow' | 'Deny',
): MatchPrincipal {
  return (principal) => {
    if (everyone) return undefined
    const { arn, roleArn, accountId } = principal
    const chain = [
      namesAccount(named, accountId),
      ...(principal.kind === 'root' ? [] : [isNamed(named, arn, principal)]),
      ...(roleArn === undefined ? [] : [isNamed(named, roleArn, principal)]),
    ]
    const isSpared = effect === 'Deny' ? chain.every(Boolean) : chain.some(Boolean)
    return isSpared ? undefined : 'everyone'
  }
}

/** By ARN, or by the unique id that IAM puts in its place. */
function isNamed(named: ReadonlySet<string>, arn: string, { kind, userId, roleArn }: Principal): boolean {
  if (named.has(arn)) return true
  if (kind === 'user') return named.has(userId)
  return arn === roleArn && named.has(userId.slice(0, Math.max(userId.indexOf(':'), 0)))
}

function namesAccount(named: ReadonlySet<string>, accountId: string): boolean {
  return named.size > 0 && (named.has(accountId) || named.has(`arn:aws:iam::${accountId}:root`))
}
