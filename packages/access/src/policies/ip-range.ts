import { isIPv4, isIPv6 } from 'node:net'

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
  if (isIPv4(text)) return Uint8Array.from(text.split('.'), Number)
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1]
  if (mapped !== undefined && isIPv4(mapped)) return Uint8Array.from(mapped.split('.'), Number)
  // A zone, as in `fe80::1%eth0`, means something to one machine only.
  return isIPv6(text) && !text.includes('%') ? readIpv6(text) : undefined
}

function readIpv6(text: string): Uint8Array {
  const [head = '', tail] = text.split('::')
  const front = groupsOf(head)
  const back = tail === undefined ? [] : groupsOf(tail)
  const groups = [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back]
  return Uint8Array.from(groups.flatMap((group) => [group >>> 8, group & 0xff]))
}

function groupsOf(text: string): readonly number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [(a << 8) | b, (c << 8) | d]
  })
}
