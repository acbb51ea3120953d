import { withoutSecrets } from './without-secrets.ts'

/** Where the data is. */
export type StorePlace =
  | { readonly kind: 'memory' }
  | ({ readonly kind: 'lmdb'; readonly path: string; readonly acceptsLoss?: boolean } & Encrypted)
  | ({
      readonly kind: 'postgres'
      readonly url: string
      readonly distribution?: StoreDistribution | undefined
      /** Whether a standby will do. */
      readonly onlyReads?: boolean
    } & Encrypted)

interface Encrypted {
  /** The 32 bytes that its values are encrypted with, if they are. */
  readonly encryptionKey?: Buffer | undefined
}

/** Whether the tables of a PostgreSQL are distributed over the nodes of Citus: `auto` if it is installed. */
export type StoreDistribution = 'auto' | 'none' | 'citus'

/** The place according to the settings: a database, a folder, or undefined. */
export function placeOf(settings: {
  readonly store?: string | undefined
  readonly storeDistribution?: StoreDistribution | undefined
  readonly path?: string | undefined
  readonly acceptsLoss?: boolean
  readonly encryptionKey?: Buffer | undefined
}): StorePlace {
  const { store, storeDistribution, path, acceptsLoss = false, encryptionKey } = settings
  if (store !== undefined) return { kind: 'postgres', url: store, distribution: storeDistribution, encryptionKey }
  if (path === undefined) return { kind: 'memory' }
  return { kind: 'lmdb', path, ...(acceptsLoss && { acceptsLoss }), encryptionKey }
}

/** The place for somebody who writes nothing there. */
export function onlyRead(place: StorePlace): StorePlace {
  return place.kind === 'postgres' ? { ...place, onlyReads: true } : place
}

export function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text)
}

export function isStoreDistribution(text: string): text is StoreDistribution {
  return text === 'auto' || text === 'none' || text === 'citus'
}

/** For people: a URL without its secrets. */
export function describePlace(place: StorePlace): string {
  switch (place.kind) {
    case 'memory':
      return 'memory'
    case 'lmdb':
      return place.path
    case 'postgres':
      return withoutSecrets(place.url)
  }
}
