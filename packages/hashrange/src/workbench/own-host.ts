import { isIP, isIPv4 } from 'node:net'
import { hostname } from 'node:os'

/** Whether a `Host` names this machine as the workbench may be called. DNS rebinding makes a foreign page's name resolve to
 *  us, but the browser still sends that name: so only names that cannot be rebound are answered. */
export function isOwnHost(host: string | undefined, boundHost: string): boolean {
  const name = nameOf(host)
  if (name === undefined) return false
  if (isLoopback(name)) return true
  if (isLoopback(boundHost)) return false
  // Served to others on purpose. An address is not a name: it cannot be rebound.
  return isIP(name) !== 0 || name === boundHost.toLowerCase() || name === hostname().toLowerCase()
}

export function isLoopback(name: string): boolean {
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    (isIPv4(name) && name.startsWith('127.'))
  )
}

/** The name in `name:port` or `[address]:port`, in lower case. */
function nameOf(host: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host ?? '')
  return (match?.[1] ?? match?.[2])?.toLowerCase()
}
