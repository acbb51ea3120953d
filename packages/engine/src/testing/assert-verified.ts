import type { Store } from '../store/store.ts'
import { placeText } from '../verify/place.ts'
import { verifyStore } from '../verify/verify-store.ts'

/** Whatever a test has done, its store must be sound at the end. On a database elsewhere that would take too long for every test. */
export async function assertVerified(store: Store): Promise<void> {
  if (store.shared === true) return
  const findings: string[] = []
  await verifyStore({
    store,
    onFinding: ({ kind, place, problem }) => findings.push(`${kind}: ${placeText(place)}: ${problem}`),
  })
  if (findings.length > 0) throw new Error(`The store is not sound:\n${findings.slice(0, 10).join('\n')}`)
}
