import { readEncryptionKey } from '../encryption-key.ts'
import type { StorePlace } from '../store-place.ts'
import { Mistake } from '../mistake.ts'

/** The place with the key that the environment has for it. Commands have no flag of their own for it: they use the
 *  same setting as a server. */
export function withKey(place: StorePlace): StorePlace {
  const encryptionKey = keyOfData()
  return place.kind === 'memory' || encryptionKey === undefined ? place : { ...place, encryptionKey }
}

export function keyOfData(): Buffer | undefined {
  const read = readEncryptionKey(undefined, (name) => process.env[name] || undefined)
  if ('mistake' in read) throw new Mistake(read.mistake)
  return read.key
}
