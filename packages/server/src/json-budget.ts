import { ServiceError, serializationException } from '@hashrange/core'

/** What the JSON of one request may contain. Nothing that the service accepts comes near, except for batches of the
 *  largest items made of the smallest values. */
export interface JsonBudget {
  readonly depth: number
  /** Elements of arrays. */
  readonly elements: number
  /** Members of objects, without the first of each: objects with many names are slow to create, and attribute values
   *  have one. */
  readonly members: number
  readonly collections: number
}

const defaultJsonBudget: JsonBudget = {
  depth: 1_000,
  elements: 1_000_000,
  members: 150_000,
  collections: 2_000_000,
}

/** Nothing this small is slow to parse, whatever it contains. */
const freeBytes = 64 * 1024

/** Throws if parsing `bytes` as JSON would block the event loop for too long. This only counts, at a few milliseconds
 *  per megabyte: the parser finds invalid JSON. */
export function assertWithinBudget(bytes: Buffer, budget: JsonBudget = defaultJsonBudget): void {
  if (bytes.length <= freeBytes) return
  // Whether the collection at each depth is an object.
  const isObject = new Uint8Array(budget.depth + 1)
  let depth = 0
  let elements = 0
  let members = 0
  let collections = 0
  for (let index = 0; index < bytes.length; index++) {
    switch (bytes[index]) {
      case quote:
        index = stringEnd(bytes, index)
        break
      case comma:
        if (isObject[depth] === 1) {
          if (++members > budget.members) throw tooMany(budget.members, 'members')
        } else if (++elements > budget.elements) {
          throw tooMany(budget.elements, 'elements')
        }
        break
      case openBrace:
      case openBracket:
        if (++depth > budget.depth) throw serializationException('The request body nests too deeply.')
        if (++collections > budget.collections) throw tooMany(budget.collections, 'lists and maps')
        isObject[depth] = bytes[index] === openBrace ? 1 : 0
        break
      case closeBrace:
      case closeBracket:
        if (depth > 0) depth--
        break
      case undefined:
      default:
        break
    }
  }
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Strings up to this length are searched here: calling native code is only faster for longer ones. */
const shortString = 24

/** The position of the closing quote of the string that starts at `start`; the end of the bytes if there is none. */
function stringEnd(bytes: Buffer, start: number): number {
  let index = start + 1
  const near = Math.min(bytes.length, index + shortString)
  for (; index < near; index++) {
    const byte = bytes[index]
    if (byte === quote) return index
    if (byte === backslash) break
  }
  for (;;) {
    index = bytes.indexOf(quote, index)
    if (index < 0) return bytes.length
    if (!isEscaped(bytes, index)) return index
    index++
  }
}

/** Whether an odd number of backslashes stands before a byte. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let index = at - 1
  while (bytes[index] === backslash) index--
  return (at - index) % 2 === 0
}

function tooMany(limit: number, what: string): ServiceError {
  return new ServiceError('RequestEntityTooLargeException', `The request body has more than ${limit} ${what}.`)
}
