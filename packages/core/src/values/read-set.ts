import { BareRefusal, ServiceError, validationException } from '../errors.ts'
import { limits } from '../limits.ts'
import { compareBase64 } from './base64.ts'
import { canonicalNumber, compareNumbers } from './number.ts'
import { compareUtf8, wellFormed } from './utf8.ts'

/** Up to this many members, comparing each with each is faster than indexing them. */
const indexedSetMembers = 8

type Order = (a: string, b: string) => number

/** The service keeps the members of a set in order, whatever order they came in: strings and binaries by their bytes,
 *  numbers by value. */
const orders = { SS: compareUtf8, NS: compareNumbers, BS: compareBase64 } as const satisfies Record<SetType, Order>

export type SetType = 'SS' | 'NS' | 'BS'

/** The members of a set in their order; `members` itself if they are as they should be. */
export function readSet(type: SetType, members: readonly string[]): readonly string[] {
  if (members.length === 0) throw validationException(emptySetMessages[type])
  // No member is empty, so no item can hold this many: they need not be sorted.
  if (members.length > limits.itemSizeBytes) {
    throw new BareRefusal('Item size has exceeded the maximum allowed size')
  }
  const values = type === 'BS' ? members : canonical(members, type === 'NS' ? canonicalNumber : wellFormed)
  const order = orders[type]
  if (isAscending(values, order)) return values
  if (hasDuplicates(values)) throw new DuplicateMembers(type, members)
  return values.toSorted(order)
}

/** All members of two sets, in order. */
export function uniteSets(type: SetType, members: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...members, ...more])].toSorted(orders[type])
}

/** The members of a set that another does not have. Both are in order. */
export function setWithout(type: SetType, members: readonly string[], taken: readonly string[]): readonly string[] {
  // Indexing a large set for a few members would cost more than searching it.
  if (members.length * 32 < taken.length) return members.filter((member) => !isAmong(taken, member, orders[type]))
  const gone = new Set(taken)
  return members.filter((member) => !gone.has(member))
}

function isAmong(ordered: readonly string[], sought: string, order: Order): boolean {
  let from = 0
  let to = ordered.length
  while (from < to) {
    const middle = (from + to) >>> 1
    const compared = order(ordered[middle] ?? '', sought)
    if (compared === 0) return true
    if (compared < 0) from = middle + 1
    else to = middle
  }
  return false
}

/** A set that contains a member twice. The service's operations word this differently. */
export class DuplicateMembers extends ServiceError {
  readonly #type: SetType
  readonly #setMembers: readonly string[]

  constructor(type: SetType, members: readonly string[]) {
    super('ValidationException', duplicatesAsSent(type, members))
    this.#type = type
    this.#setMembers = members
  }

  /** The wording of the newer half of the operations: quoted, in order up to the first duplicate, and then as they
   *  were sent. */
  inCurrentWording(): ServiceError {
    if (this.#type === 'NS') return validationException(`${invalid}Input collection contains duplicates.`)
    const listed = orderedUpToRepeat(this.#type, this.#setMembers).map((member) => `"${member}"`)
    return validationException(
      this.#type === 'SS'
        ? `${invalid}Input collection [${listed.join(', ')}] contains duplicates.`
        : `${invalid}Input collection [${listed.join(',')}]of type BS contains duplicates.`,
    )
  }
}

const invalid = 'One or more parameter values were invalid: '

const emptySetMessages: Readonly<Record<SetType, string>> = {
  SS: `${invalid}An string set  may not be empty`,
  NS: `${invalid}An number set  may not be empty`,
  BS: `${invalid}Binary sets should not be empty`,
}

function duplicatesAsSent(type: SetType, members: readonly string[]): string {
  if (type === 'NS') return 'Input collection contains duplicates'
  const ofType = type === 'BS' ? 'of type BS' : ''
  return `${invalid}Input collection [${members.join(', ')}]${ofType} contains duplicates.`
}

function orderedUpToRepeat(type: SetType, members: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  for (const member of members) {
    if (seen.has(member)) break
    seen.add(member)
  }
  return [...[...seen].toSorted(orders[type]), ...members.slice(seen.size)]
}

function canonical(members: readonly string[], form: (member: string) => string): readonly string[] {
  let changed = false
  const values = members.map((member) => {
    const value = form(member)
    if (value !== member) changed = true
    return value
  })
  return changed ? values : members
}

function isAscending(members: readonly string[], order: Order): boolean {
  for (let position = 1; position < members.length; position++) {
    if (order(members[position - 1] ?? '', members[position] ?? '') >= 0) return false
  }
  return true
}

function hasDuplicates(members: readonly string[]): boolean {
  if (members.length > indexedSetMembers) return new Set(members).size < members.length
  for (let later = 1; later < members.length; later++) {
    for (let earlier = 0; earlier < later; earlier++) if (members[earlier] === members[later]) return true
  }
  return false
}
