import { isLoopback, type HttpRequest } from '@hashrange/server'

/** Whether a program on this machine sent the request. What a proxy passes on may come from anywhere, so it does not
 *  count. */
export function isFromHere({ remoteAddress, forwarded }: HttpRequest): boolean {
  if (remoteAddress === undefined || forwarded !== undefined) return false
  return isLoopback(remoteAddress.replace(/^::ffff:/i, ''))
}
