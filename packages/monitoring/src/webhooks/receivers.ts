import { BlockList, isIP } from 'node:net'
import { isLoopback } from '@hashrange/server'

/** Which receivers may get the notifications of alarms. Anybody who can use the service can name a receiver, and the
 *  server would call it from its own network and machine, which the client may not be able to reach. So the operator
 *  chooses the receivers. */
export interface Receivers {
  /** The addresses that may be connected to for a receiver, or why it is not called. */
  permit(url: string): Permission
}

export type Permission =
  | { readonly kind: 'permitted'; readonly mayConnectTo: (address: string) => boolean }
  | { readonly kind: 'refused'; readonly reason: string }

export interface ReceiverOptions {
  /** Addresses below which every receiver may be called, such as `https://hooks.example.com/alarms/`; `*` is
   *  everywhere, `none` nowhere. By default, receivers on this machine may be called. */
  readonly webhooks?: readonly string[] | undefined
  /** How to allow the receivers below an address, in a sentence: whoever opens the database knows the name of the
   *  setting. */
  readonly adviceOn?: ((prefix: string) => string) | undefined
}

export function receivers({ webhooks, adviceOn }: ReceiverOptions): Receivers {
  const prefixes = (webhooks ?? []).filter((prefix) => URL.canParse(prefix)).map((prefix) => new URL(prefix))
  const isOpen = webhooks?.includes('*') === true
  return {
    permit(text) {
      const url = URL.canParse(text) ? new URL(text) : undefined
      if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
        return refused('it is not an http or https address')
      }
      if (url.username !== '' || url.password !== '') return refused('its address names a user')
      // What the operator has listed may be anywhere.
      if (prefixes.some((prefix) => isBelow(url, prefix))) return permitted(() => true)
      if (isOpen) return atPermitted(url, (address) => !isLinkLocal(address))
      if (webhooks === undefined && isLoopback(nameOf(url))) return atPermitted(url, isLoopbackAddress)
      const advice = adviceOn === undefined ? '' : `. ${adviceOn(`${url.origin}/`)}`
      return refused(`hashrange is not allowed to call it${advice}`)
    },
  }
}

function permitted(mayConnectTo: (address: string) => boolean): Permission {
  return { kind: 'permitted', mayConnectTo }
}

function refused(reason: string): Permission {
  return { kind: 'refused', reason }
}

/** A name is looked up when the receiver is called, and what it resolves to then counts; an address is known now. */
function atPermitted(url: URL, mayConnectTo: (address: string) => boolean): Permission {
  const name = nameOf(url)
  if (isIP(name) !== 0 && !mayConnectTo(name)) return refused('addresses of this kind are never allowed')
  return permitted(mayConnectTo)
}

/** Paths end at a slash: `/alarms` is not a prefix of `/alarms-of-others`. */
function isBelow(url: URL, prefix: URL): boolean {
  if (url.origin !== prefix.origin) return false
  const folder = prefix.pathname.endsWith('/') ? prefix.pathname : `${prefix.pathname}/`
  return url.pathname === prefix.pathname || url.pathname.startsWith(folder)
}

function nameOf(url: URL): string {
  return url.hostname.replaceAll(/[[\]]/g, '')
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Clouds provide a machine's credentials at such addresses. */
const linkLocal = new BlockList()
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4')
linkLocal.addSubnet('fe80::', 10, 'ipv6')
linkLocal.addAddress('fd00:ec2::254', 'ipv6')

function isLoopbackAddress(address: string): boolean {
  return isListed(loopback, address)
}

function isLinkLocal(address: string): boolean {
  return isListed(linkLocal, address)
}

/** IPv4 addresses within IPv6 are found too. */
function isListed(list: BlockList, address: string): boolean {
  const [bare = ''] = address.split('%', 1)
  return list.check(bare, isIP(bare) === 6 ? 'ipv6' : 'ipv4')
}
