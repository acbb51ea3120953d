import { openLmdbFolder } from '@hashrange/engine'
import { placeText, verifyStore } from '@hashrange/engine/verify'

/** Proves a data folder that nobody is using, and that a crash may have left: as it is, without a change to it. */
export async function assertFolderSound(path: string): Promise<void> {
  const findings: string[] = []
  const store = openLmdbFolder(path)
  try {
    const report = await verifyStore({
      store,
      onFinding: ({ kind, place, problem }) => findings.push(`${kind}: ${placeText(place)}: ${problem}`),
    })
    if (!report.isComplete) findings.push('the verification did not come to its end')
  } finally {
    await store.close()
  }
  if (findings.length > 0) throw new Error(`The folder is not sound:\n${findings.slice(0, 10).join('\n')}`)
}
