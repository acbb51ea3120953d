import { isRecord, textsOf } from './json-shapes.ts'
import type { PrincipalElement } from './policy-document.ts'

/** `Principal` or `NotPrincipal` of a statement; nothing if it has neither. */
export function parsePrincipal(
  statement: Record<string, unknown>,
  refusal: () => Error,
): PrincipalElement | undefined {
  const { Principal: plain, NotPrincipal: negated } = statement
  if (plain !== undefined && negated !== undefined) throw refusal()
  const sent = plain ?? negated
  if (sent === undefined) return undefined
  const isNegated = negated !== undefined
  if (sent === '*') return { negated: isNegated, everyone: true, aws: [], others: [] }
  if (!isRecord(sent)) throw refusal()
  const aws: string[] = []
  const others: { kind: string; values: readonly string[] }[] = []
  for (const [kind, value] of Object.entries(sent)) {
    if (!kinds.has(kind)) throw refusal()
    const values = textsOf(value, refusal)
    if (kind === 'AWS') aws.push(...values)
    else others.push({ kind, values })
  }
  if (aws.length === 0 && others.length === 0) throw refusal()
  const named = aws.filter((name) => name !== '*')
  return { negated: isNegated, everyone: named.length < aws.length, aws: named, others }
}

const kinds = new Set(['AWS', 'Service', 'Federated', 'CanonicalUser'])
