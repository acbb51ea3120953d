import { Branches, unsealedStore } from '@hashrange/engine'
import { verifyStore } from '@hashrange/engine/verify'
import { openPostgresStore } from '@hashrange/postgres'
import { withoutSecrets } from '../../without-secrets.ts'
import { keyOfData } from '../key-of-data.ts'
import type { Verifiable } from './verifiable.ts'

/** A PostgreSQL, which servers may keep using. */
export function verifiablePostgres(url: string): Verifiable {
  return {
    name: withoutSecrets(url),
    flag: '--store URL',
    run: async (run) => {
      // Checking does not set up what does not exist.
      const store = await openPostgresStore({ url, migrate: false, onlyReads: !run.repair })
      try {
        const unsealed = await unsealedStore(store, keyOfData())
        // A repair must leave branches as they are, like any other write.
        return await verifyStore({
          ...run,
          store: run.repair ? (await Branches.open(unsealed)).main : unsealed,
        })
      } finally {
        await store.close()
      }
    },
  }
}
