import type { WouldThrottle } from '@hashrange/engine'
import type { Logger } from '@hashrange/server'
import { printable } from './printable.ts'

/** Tells the operator what AWS would have throttled, in one line: once for each table, key range and reason. Keys are
 *  what clients sent, and must not format the log. */
export function logThrottling(logger: Logger): (would: WouldThrottle) => void {
  let told = 0
  return ({ message }) => {
    told++
    if (told <= mostTold) logger.error(`hashrange: ${printable(message)}`)
    if (told === mostTold)
      logger.error('hashrange: further warnings of this kind are suppressed. See: hashrange top')
  }
}

const mostTold = 200
