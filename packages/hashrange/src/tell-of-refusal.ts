import type { StorageError } from '@hashrange/engine'
import type { Logger } from '@hashrange/server'

/** A newer server has changed the database: whoever looks after this one has to replace it. */
export function tellOfRefusal(logger: Logger): (refusal: StorageError | undefined) => void {
  return (refusal) =>
    logger.error(`hashrange: ${refusal?.message ?? 'This server can write to the database again.'}`)
}
