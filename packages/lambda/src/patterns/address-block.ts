import { BlockList, isIP } from 'node:net'
import { PatternError } from './pattern.ts'

/** Whether an address is in a block such as `10.0.0.0/24` or `2001:db8::/32`. */
export function blockContains(block: string): (address: string) => boolean {
  const [, network = '', bits = ''] = /^([0-9A-Fa-f:.]+)\/(\d{1,3})$/.exec(block) ?? []
  const version = isIP(network)
  if (version === 0 || Number(bits) > (version === 4 ? 32 : 128))
    throw new PatternError(`Malformed CIDR: ${block.slice(0, 100)}`)
  const family = version === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(network, Number(bits), family)
  return (address) => isIP(address) === version && list.check(address, family)
}
