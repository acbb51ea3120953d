/** A value in CBOR (RFC 8949), as far as JSON's values go. */
export function toCbor(value: unknown): Buffer {
  if (value === null || value === undefined) return Buffer.of(0xf6)
  if (typeof value === 'boolean') return Buffer.of(value ? 0xf5 : 0xf4)
  if (typeof value === 'number') return number(value)
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([head(3, text.length), text])
  }
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(toCbor)])
  const members = Object.entries(value)
  return Buffer.concat([
    head(5, members.length),
    ...members.flatMap(([name, member]) => [toCbor(name), toCbor(member)]),
  ])
}

function number(value: number): Buffer {
  if (Number.isInteger(value) && value >= 0 && value < 2 ** 32) return head(0, value)
  const bytes = Buffer.alloc(9, 0xfb)
  bytes.writeDoubleBE(value, 1)
  return bytes
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.of((major << 5) | length)
  const bytes = Buffer.alloc(5, (major << 5) | 26)
  bytes.writeUInt32BE(length, 1)
  return bytes
}
