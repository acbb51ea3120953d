import type { StorageError } from '@hashrange/engine'
import type { Logger } from '@hashrange/server'

/** A newer server has changed the database: the operator must replace this one. */
export function logRefusal(logger: Logger): (refusal: StorageError | undefined) => void {
  return (refusal) =>
    logger.error(`hashrange: ${refusal?.message ?? 'This server can write to the database again.'}`)
}
