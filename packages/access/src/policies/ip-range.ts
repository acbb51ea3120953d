/** A range of addresses, such as `203.0.113.0/24` or `2001:db8::/32`. */
export interface IpRange {
  readonly bytes: Uint8Array
  readonly bits: number
}

export function readIpRange(text: string): IpRange | undefined {
  const slash = text.indexOf('/')
  const bytes = readIpAddress(slash < 0 ? text : text.slice(0, slash))
  if (bytes === undefined) return undefined
  const widest = bytes.length * 8
  if (slash < 0) return { bytes, bits: widest }
  const suffix = text.slice(slash + 1)
  const bits = /^\d{1,3}$/.test(suffix) ? Number(suffix) : Number.NaN
  return bits <= widest ? { bytes, bits } : undefined
}

export function isInRange({ bytes, bits }: IpRange, address: Uint8Array): boolean {
  if (address.length !== bytes.length) return false
  const whole = bits >>> 3
  for (let index = 0; index < whole; index++) if (address[index] !== bytes[index]) return false
  const rest = bits & 7
  return rest === 0 || (((address[whole] ?? 0) ^ (bytes[whole] ?? 0)) & (0xff << (8 - rest)) & 0xff) === 0
}

/** Four bytes or sixteen. An IPv4 address that came in the clothes of IPv6 is the IPv4 address. */
export function readIpAddress(text: string): Uint8Array | undefined {
  if (!text.includes(':')) return readIpv4(text)
  const mapped = /^::ffff:([\d.]+)$/i.exec(text)?.[1]
  return mapped === undefined ? readIpv6(text) : readIpv4(mapped)
}

function readIpv4(text: string): Uint8Array | undefined {
  const parts = text.split('.')
  const isAddress =
    parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)
  return isAddress ? Uint8Array.from(parts, Number) : undefined
}

function readIpv6(text: string): Uint8Array | undefined {
  const [head = '', tail, ...more] = text.split('::')
  const front = groupsOf(head)
  const back = tail === undefined ? [] : groupsOf(tail)
  if (more.length > 0 || front === undefined || back === undefined) return undefined
  const missing = 8 - front.length - back.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...front, ...Array.from({ length: missing }, () => 0), ...back]
  return Uint8Array.from(groups.flatMap((group) => [group >>> 8, group & 0xff]))
}

/** Groups of sixteen bits; the last two may be written as an IPv4 address. */
function groupsOf(text: string): readonly number[] | undefined {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    if (/^[\da-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16))
    else {
      const ipv4 = index === parts.length - 1 ? readIpv4(part) : undefined
      if (ipv4 === undefined) return undefined
      const [a = 0, b = 0, c = 0, d = 0] = ipv4
      groups.push((a << 8) | b, (c << 8) | d)
    }
  }
  return groups
}
