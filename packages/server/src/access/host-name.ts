import { isIP, isIPv4 } from 'node:net'
import { hostname } from 'node:os'

/** How far a name that a request calls us by can be trusted.
 *
 *  DNS rebinding makes the name of a foreign page resolve to this machine: to the browser our answers are then that page's own. It still
 *  sends the name, so that names decide.
 *  - `own`: nobody else can have it. An address is not resolved at all, `localhost` never leaves the machine, and the operator has
 *    named the others.
 *  - `private`: no stranger can register it, since the public DNS does not have it: `hashrange` in a compose file, `db.internal`. Whoever
 *    answers DNS in this network could still take it. Programs may use it; pages may not. So is an address of another machine than the one
 *    that is listened on: it leads here by way of a tunnel.
 *  - `foreign`: everything else. */
export type HostKind = 'own' | 'private' | 'foreign'

export interface HostNames {
  /** The value of `--host`: an address or a name to listen on. */
  readonly boundHost: string
  /** Names, `.domain` for all names below it, or `*` for every name. */
  readonly allowedHosts?: readonly string[] | undefined
}

export function hostKindOf(host: string, { boundHost, allowedHosts = [] }: HostNames): HostKind {
  const name = nameInHost(host)
  if (name === undefined) return 'foreign'
  if (isLoopback(name)) return 'own'
  if (isIP(name) !== 0) return isLoopback(lowerName(boundHost)) ? 'private' : 'own'
  if (name === lowerName(boundHost) || name === lowerName(hostname())) return 'own'
  if (allowedHosts.some((allowed) => isNamed(name, lowerName(allowed)))) return 'own'
  return isPrivate(name) ? 'private' : 'foreign'
}

/** Whether a name, or an address as in a URL without its brackets, refers to this machine only. */
export function isLoopback(name: string): boolean {
  if (isIPv4(name)) return name.startsWith('127.')
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1'
}

/** The name in `name:port` or `[address]:port`. */
function nameInHost(host: string): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host)
  const name = match?.[1] ?? match?.[2]
  return name === undefined ? undefined : lowerName(name)
}

/** A name may end with the dot of DNS's root. */
function lowerName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

function isNamed(name: string, allowed: string): boolean {
  return allowed === '*' || name === allowed || (allowed.startsWith('.') && name.endsWith(allowed))
}

/** Top-level domains that are reserved or promised never to be delegated (RFC 6761, 6762, 8375, and ICANN's decision on `internal`), and those of
 *  containers and home routers, which nobody can register either. */
const privateDomains = /\.(?:internal|local|test|home\.arpa|localdomain|lan|svc)$/

function isPrivate(name: string): boolean {
  return !name.includes('.') || privateDomains.test(name)
}
