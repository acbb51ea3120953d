import { utf8Length } from '@hashrange/core'
import { invalidParameter } from './invalid-parameter.ts'

/** Reads the policy of a table or a stream: returns it in the form in which it is stored, or throws the service's
 *  error. */
export type ReadResourcePolicy = (policy: string, kind: 'table' | 'stream') => string

/** White space counts as well. */
const maxPolicyBytes = 20_480

export function readSizedPolicy(
  { readResourcePolicy }: { readonly readResourcePolicy: ReadResourcePolicy },
  policy: string,
  kind: 'table' | 'stream',
): string {
  if (utf8Length(policy) > maxPolicyBytes) {
    throw invalidParameter(`Maximum policy size of ${maxPolicyBytes} bytes exceeded`)
  }
  return readResourcePolicy(policy, kind)
}

/** Without a policy reader, policies are stored as they are if they are JSON. */
export const readUnknownPolicy: ReadResourcePolicy = (policy) => {
  try {
    JSON.parse(policy)
  } catch {
    throw invalidParameter('Invalid policy document: This policy contains invalid Json')
  }
  return policy
}
