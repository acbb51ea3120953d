import type { Decision, PolicyKind } from '../../api/decisions.ts'

const kinds: Readonly<Record<PolicyKind, string>> = {
  identity: 'identity-based policy',
  resource: 'policy of the resource',
  boundary: 'permissions boundary',
  session: 'session policy',
}

/** A decision in one sentence. `who` is whom it is about, as a sentence begins with it. */
export function verdictOf({ outcome, by }: Decision, who: string): string {
  if (by === 'root') return 'The root user may do everything in its account.'
  if (outcome === 'explicit-deny') return `There is an explicit deny in ${article(by)} ${kinds[by]}.`
  if (outcome === 'implicit-deny') {
    if (by === 'boundary') return 'A policy allows it, but the permissions boundary does not.'
    if (by === 'session') return 'A policy allows it, but the session policy does not.'
    if (by === 'resource') return 'The resource belongs to another account, and its policy does not allow it.'
    return `No identity-based policy of ${who} allows it.`
  }
  return by === 'resource'
    ? 'The policy of the resource allows it.'
    : `An identity-based policy of ${who} allows it, and nothing denies it.`
}

function article(by: PolicyKind): string {
  return by === 'identity' ? 'an' : 'a'
}
