import { verifyStore } from '@hashrange/engine/verify'
import { openStore } from '../../open-store.ts'
import { withoutSecrets } from '../../without-secrets.ts'
import type { Verifiable } from './verifiable.ts'

/** A PostgreSQL, which servers may go on using. */
export function verifiablePostgres(url: string): Verifiable {
  return {
    name: withoutSecrets(url),
    flag: '--store URL',
    run: async (run) => {
      const store = await openStore({ kind: 'postgres', url })
      try {
        return await verifyStore({ ...run, store })
      } finally {
        await store.close()
      }
    },
  }
}
