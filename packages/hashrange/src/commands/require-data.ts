import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StorePlace } from '../store-place.ts'
import { Mistake } from '../mistake.ts'

/** What is read must exist: opening a misspelt folder would create an empty database there. */
export function requireData(place: StorePlace): void {
  if (place.kind !== 'lmdb' || existsSync(join(place.path, 'data.mdb'))) return
  throw new Mistake(
    existsSync(place.path)
      ? `${place.path} is not a hashrange data folder. Name the folder that a server was started with (--path), such as .hashrange.`
      : `There is no folder ${place.path}.`,
  )
}
