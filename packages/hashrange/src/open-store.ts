import { openLmdbStore, type Recovery, type Store } from '@hashrange/engine'
import type { StorePlace } from './store-place.ts'

/** Opens the store that holds the data. What a database needs is loaded only where there is one. */
export async function openStore(place: StorePlace, onRecovery?: (recovery: Recovery) => void): Promise<Store> {
  switch (place.kind) {
    case 'memory':
      return openLmdbStore({ memory: true })
    case 'lmdb':
      return openLmdbStore({
        path: place.path,
        acceptsLoss: place.acceptsLoss ?? false,
        ...(onRecovery !== undefined && { onRecovery }),
      })
    case 'postgres': {
      const { openPostgresStore } = await import('@hashrange/postgres')
      const { url, distribution = 'auto' } = place
      return openPostgresStore({ url, distribution })
    }
  }
}
