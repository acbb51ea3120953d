import { serializationException } from '@hashrange/core'

/** Deeper than any input that the service accepts. */
const deepest = 1000

/** An input as it would arrive over the wire: a copy that the caller can no longer change, with only what JSON can
 *  express. Undefined members are left out, bytes become base64, and dates the seconds since 1970. */
export function toWireInput(input: unknown, depth = 0): unknown {
  if (typeof input === 'string' || typeof input === 'boolean' || input === null) return input
  if (typeof input === 'number') return Number.isFinite(input) ? input : null
  if (typeof input !== 'object') return undefined
  if (depth > deepest) throw serializationException('The input is nested too deeply.')
  if (Array.isArray(input)) return input.map((element) => toWireInput(element, depth + 1) ?? null)
  if (input instanceof Uint8Array)
    return Buffer.from(input.buffer, input.byteOffset, input.byteLength).toString('base64')
  if (input instanceof Date) return input.getTime() / 1000
  return copyMembers(input, depth)
}

/** The same for an operation that only reads, and has read its input when it first waits: input that is already in
 *  wire form, which it usually is, need not be copied. */
export function toWireInputOfRead(input: unknown): unknown {
  return isWireForm(input, 0) ? input : toWireInput(input)
}

function isWireForm(input: unknown, depth: number): boolean {
  if (typeof input === 'string' || typeof input === 'boolean' || input === null) return true
  if (typeof input === 'number') return Number.isFinite(input)
  if (typeof input !== 'object' || depth > deepest) return false
  if (Array.isArray(input)) return input.every((element) => isWireForm(element, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(input)
  if (prototype !== Object.prototype && prototype !== null) return false
  const members = input as Readonly<Record<string, unknown>>
  for (const name in members) {
    const member = members[name]
    if (typeof member !== 'string' && !isWireForm(member, depth + 1)) return false
  }
  return true
}

function copyMembers(input: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    const member = toWireInput(value, depth + 1)
    if (member === undefined) continue
    // Assigning to __proto__ would set the prototype.
    if (name === '__proto__')
      Object.defineProperty(copy, name, { value: member, enumerable: true, configurable: true, writable: true })
    else copy[name] = member
  }
  return copy
}
