import type { Database } from '../database.ts'
import { conflictText } from '../regions/conflict-text.ts'

/** What cannot be sent now, because a region is cut off, may still conflict: heal it first. */
export async function assertNoConflicts(database: Database): Promise<void> {
  await database.replicate()
  const conflicts = await database.conflicts()
  if (conflicts.length === 0) return
  const lost = conflicts.length === 1 ? 'A write was' : `${conflicts.length} writes were`
  throw new Error(`${lost} lost to a write in another region:\n${conflicts.map(conflictText).join('\n')}`)
}
