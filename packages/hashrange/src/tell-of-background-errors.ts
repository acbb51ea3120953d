import { StorageError } from '@hashrange/engine'
import type { Logger } from '@hashrange/server'

/** Work in the background waits for a database that is away, as requests do, which tell of it. Anything else is for us to find out. */
export function tellOfBackgroundErrors(logger: Logger): (error: unknown) => void {
  return (error) => {
    if (error instanceof StorageError && error.code === 'unavailable') return
    logger.error('hashrange: work in the background failed:', error)
  }
}
