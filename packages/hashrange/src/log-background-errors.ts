import { StorageError } from '@hashrange/engine'
import type { Logger } from '@hashrange/server'

const tellEveryMs = 60_000

/** Background work waits for an unreachable database, as requests do, which report it. A disk that cannot be written
 *  is reported in a sentence, now and then. Anything else is for us to find out. */
export function logBackgroundErrors(logger: Logger): (error: unknown) => void {
  let toldAtMs = Number.NEGATIVE_INFINITY
  return (error) => {
    if (!(error instanceof StorageError) || (error.code !== 'unavailable' && error.code !== 'io')) {
      logger.error('hashrange: a background task failed:', error)
    } else if (error.code === 'io' && performance.now() - toldAtMs > tellEveryMs) {
      toldAtMs = performance.now()
      logger.error(`hashrange: ${error.message}`)
    }
  }
}
