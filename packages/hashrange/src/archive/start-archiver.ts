import type { Store } from '@hashrange/engine'
import type { Logger } from '@hashrange/server'
import { Archiver, openArchivePlace } from '@hashrange/transfer'

/** Archives everything that is written from now on, and reports when that fails. */
export async function startArchiver(store: Store, place: string, logger: Logger): Promise<Archiver> {
  return Archiver.start({
    store,
    to: await openArchivePlace(place),
    now: Date.now,
    onTrouble: (error) => {
      if (error === undefined) logger.error('hashrange: the archive can be written again.')
      else
        logger.error(
          `hashrange: the archive cannot be written: ${error instanceof Error ? error.message : 'unknown reason'}. hashrange keeps trying.`,
        )
    },
  })
}
