import { isObject, plainText, type Json } from '../table-design.ts'
import { isSame } from './compare.ts'

/** Whether two documents say the same. The service keeps policies in a form of its own: a list of one is its member, lists have no order, and
 *  an account is its root. */
export function isSamePolicy(one: string, other: string): boolean {
  try {
    return isSame(plain(JSON.parse(one) as Json), plain(JSON.parse(other) as Json))
  } catch {
    // Not JSON: the service says what is wrong with it.
    return false
  }
}

function plain(value: Json): Json {
  if (Array.isArray(value)) {
    const members = (value as readonly Json[]).map(plain)
    const [only] = members
    if (members.length === 1 && only !== undefined) return only
    return members.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  }
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]))
  const [, account] = /^arn:aws:iam::(\d{12}):root$/.exec(plainText(value)) ?? []
  return account ?? value
}
