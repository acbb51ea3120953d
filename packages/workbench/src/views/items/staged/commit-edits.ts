import { itemSizeBytes, limits, type Item } from '@hashrange/core'
import { ApiError, type Call } from '../../../api/api.ts'
import type { TableDescription } from '../../../api-types.ts'
import type { JobReport } from '../../../components/messages/job.tsx'
import { inParallel } from '../write/in-parallel.ts'
import { saveItem, updateRequest } from '../write/save-item.ts'
import type { StagedItem } from './staged-edits.ts'

export interface CommitOutcome {
  readonly written: readonly StagedItem[]
  /** Those that somebody else has changed since, and that were not written. */
  readonly conflicts: readonly StagedItem[]
  /** Why it went no further. */
  readonly error: unknown
}

/** What a transaction takes. */
const mostInTransaction = 100

/** Writes what was changed, each item on the condition that it is as it was: all or nothing where a transaction takes them, otherwise
 *  item by item. */
export async function commitEdits(
  call: Call,
  table: TableDescription,
  edits: readonly StagedItem[],
  signal: AbortSignal,
  report: (report: JobReport) => void,
): Promise<CommitOutcome> {
  return fitsTransaction(edits)
    ? commitTogether(call, table, edits, signal)
    : commitEach(call, table, edits, signal, report)
}

export function fitsTransaction(edits: readonly StagedItem[]): boolean {
  if (edits.length > mostInTransaction) return false
  // What is compared and what is written, both.
  const bytes = edits.reduce((sum, { loaded, edited }) => sum + itemSizeBytes(loaded) + itemSizeBytes(edited), 0)
  return bytes < limits.transactionBytes / 2
}

/** The same items the other way round: what takes a commit back. */
export function reversed(edits: readonly StagedItem[]): readonly StagedItem[] {
  return edits.map(({ loaded, edited }) => ({ loaded: edited, edited: loaded }))
}

async function commitTogether(
  call: Call,
  table: TableDescription,
  edits: readonly StagedItem[],
  signal: AbortSignal,
): Promise<CommitOutcome> {
  const changes = edits.flatMap((item) => {
    const request = updateRequest(table, item.loaded, item.edited)
    return request === undefined ? [] : [{ item, request }]
  })
  try {
    if (changes.length > 0) {
      const TransactItems = changes.map(({ request }) => ({ Update: request }))
      await call('TransactWriteItems', { TransactItems }, signal)
    }
    return { written: edits, conflicts: [], error: undefined }
  } catch (error) {
    const conflicts = changes.flatMap(({ item }, at) => (isConflict(error, at) ? [item] : []))
    if (conflicts.length === 0) throw error
    return { written: [], conflicts, error: undefined }
  }
}

async function commitEach(
  call: Call,
  table: TableDescription,
  edits: readonly StagedItem[],
  signal: AbortSignal,
  report: (report: JobReport) => void,
): Promise<CommitOutcome> {
  const written: StagedItem[] = []
  const conflicts: StagedItem[] = []
  let failure: unknown
  try {
    await inParallel(edits, 6, signal, async (item) => {
      const outcome = await saveItem(call, table, item.loaded, item.edited)
      ;(outcome.kind === 'saved' ? written : conflicts).push(item)
      report({ done: written.length + conflicts.length, total: edits.length })
    })
  } catch (error) {
    failure = error
  }
  return { written, conflicts, error: failure }
}

interface CancellationReason {
  readonly Code?: string
  readonly Item?: Item
}

function isConflict(error: unknown, at: number): boolean {
  if (!(error instanceof ApiError) || error.name !== 'TransactionCanceledException') return false
  const reasons = error.members['CancellationReasons'] as readonly CancellationReason[] | undefined
  return reasons?.[at]?.Code === 'ConditionalCheckFailed'
}
