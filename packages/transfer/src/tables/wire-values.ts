/** The SDK has binary values as bytes, DynamoDB's JSON as base64. Within an attribute value, and only there, `B` is a
 *  string and `BS` a list of strings: an attribute that is *named* `B` is an object. */
export function toSdk(value: unknown): unknown {
  return convert(value, (name, member) => {
    if (name === 'B' && typeof member === 'string') return Buffer.from(member, 'base64')
    if (name === 'BS' && Array.isArray(member)) return member.map((text) => Buffer.from(String(text), 'base64'))
    return undefined
  })
}

export function fromSdk(value: unknown): unknown {
  return convert(value, () => undefined)
}

/** The SDK gives its objects an attribute of this name, but without the value that it has read. */
const lostBySdk =
  'An item has an attribute named __proto__, which the AWS SDK for JavaScript cannot read. Read the data folder or the PostgreSQL database itself, while no server uses it.'

type Special = (name: string, member: unknown) => unknown

/** Recursion is bounded: neither side has values nested beyond 32 levels. */
function convert(value: unknown, special: Special): unknown {
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  }
  if (value instanceof Date) return value.getTime() / 1000
  if (Array.isArray(value)) return value.map((element) => convert(element, special))
  if (typeof value !== 'object' || value === null) return value
  const converted: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    const next = special(name, member) ?? convert(member, special)
    if (name === '__proto__') {
      if (member === undefined) throw new Error(lostBySdk)
      Object.defineProperty(converted, name, { value: next, enumerable: true, configurable: true, writable: true })
    } else if (next !== undefined) {
      converted[name] = next
    }
  }
  return converted
}
