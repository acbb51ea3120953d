import { breathe, type Stopping } from '../work/background-work.ts'
import { currentEntries, storedPages, type Entry } from '../backups/stored-pages.ts'
import { following } from '../layout/key-bounds.ts'
import { assertReadable } from '../layout/check-format.ts'
import { changeLogKey, changeLogRange, copyMarkKey, formatKey, keySpace } from '../layout/key-space.ts'
import { sequenceOfKey, timeOfSequence } from '../store/sequence.ts'
import { StorageError } from '../store/storage-error.ts'
import type { Decision, Key, Store, Write } from '../store/store.ts'
import { compareStores, newEntry } from './compare-stores.ts'

export interface CopyStoreOptions {
  readonly from: Store
  readonly to: Store
  /** Identifies the source: a copy is only continued from the source that it was started with. */
  readonly source: string
  readonly stopping: Stopping
  readonly onStep: (step: 'copy' | 'verify', entriesBefore: number) => void
  readonly onProgress: (entries: number, bytes: number) => void
}

export interface CopiedStore {
  /** Whether it is complete; if not, the same copy continues from there the next time. */
  readonly isComplete: boolean
  readonly entries: number
}

/** Copies everything that one store contains to another, which must be empty, or contain the beginning of the same
 *  copy. The progress is written with each part. Then both are read again and compared, and what differs is copied
 *  again; until nothing does, no engine opens the new store. Both are read in short ranges, so other users of the
 *  source are not blocked. */
export async function copyStore(options: CopyStoreOptions): Promise<CopiedStore> {
  const { from, to, stopping } = options
  await assertFormat(from)
  const begun = await beginCopy(options)
  const copied = await copyEntries(options, begun)
  if (stopping.aborted) return { isComplete: false, entries: copied.entries }
  const compared = await compare(options, copied)
  if (compared === undefined) return { isComplete: false, entries: copied.entries }
  await raiseSequence(to, BigInt(compared.lastSequence))
  await to.transact([], () => ({ writes: [{ kind: 'delete', key: copyMarkKey() }], answer: undefined }))
  return { isComplete: true, entries: compared.entries }
}

/** The progress of a copy. ON DISK as JSON, until the copy is complete. */
interface CopyMark {
  readonly source: string
  /** The last key that was copied, in base64; absent at the beginning. */
  readonly lastKey?: string
  readonly entries: number
  /** The highest sequence of all logs so far, in decimal. */
  readonly lastSequence: string
}

/** What belongs to the servers of one store, rather than to the data. */
const notCopied: ReadonlySet<number> = new Set([
  keySpace.catalogVersion,
  keySpace.tableVersion,
  keySpace.lease,
  keySpace.copyMark,
  keySpace.capacityReport,
])

const everything = { from: Buffer.of(keySpace.format), to: Buffer.of(0xff) }

async function assertFormat(from: Store): Promise<void> {
  const format = await from.view((snapshot) => snapshot.get(formatKey()))
  if (format !== undefined) return assertReadable(format)
  throw new StorageError('incompatible', 'There is nothing to copy: the source holds no data.')
}

async function beginCopy({ to, source }: CopyStoreOptions): Promise<CopyMark> {
  const found = await to.view((snapshot) => snapshot.get(copyMarkKey()))
  if (found !== undefined) {
    const mark = JSON.parse(found.toString('utf8')) as CopyMark
    if (mark.source === source) return mark
    throw new StorageError(
      'incompatible',
      `The target holds an unfinished copy of another source, ${mark.source}. Finish that copy, or use an empty target.`,
    )
  }
  let isEmpty = true
  await to.view((snapshot) =>
    snapshot.range({ ...everything, limit: 1 }, () => {
      isEmpty = false
      return false
    }),
  )
  if (!isEmpty) {
    throw new StorageError('incompatible', 'The target already holds data. Copy to an empty database or folder.')
  }
  const mark: CopyMark = { source, entries: 0, lastSequence: '0' }
  await to.transact([copyMarkKey()], ([value]): Decision<void> => {
    if (value !== undefined) throw copiedByAnother()
    return { writes: [writeOf(mark)], answer: undefined }
  })
  return mark
}

async function copyEntries(
  { from: source, to, stopping, onStep, onProgress }: CopyStoreOptions,
  begun: CopyMark,
): Promise<CopyMark> {
  onStep('copy', begun.entries)
  let mark = begun
  const from = begun.lastKey === undefined ? everything.from : following(Buffer.from(begun.lastKey, 'base64'))
  for await (const page of storedPages(currentEntries(source), { ...everything, from })) {
    if (stopping.aborted) return mark
    const entries = page.filter(isCopied)
    mark = await advance(to, mark, entries.map(newEntry), {
      lastKey: Buffer.from(page.at(-1)?.key ?? from).toString('base64'),
      entries: mark.entries + entries.length,
      lastSequence: highestSequence(entries, mark.lastSequence),
    })
    onProgress(entries.length, sizeOf(entries))
    await breathe()
  }
  return mark
}

/** Writes a part of the copy together with the progress, unless somebody else has. */
async function advance(
  to: Store,
  mark: CopyMark,
  writes: readonly Write[],
  more: Partial<CopyMark>,
): Promise<CopyMark> {
  const next: CopyMark = { ...mark, ...more }
  const before = encode(mark)
  await to.transact([copyMarkKey()], ([value]): Decision<void> => {
    if (value === undefined || !value.equals(before)) throw copiedByAnother()
    return { writes: [...writes, writeOf(next)], answer: undefined }
  })
  return next
}

/** Log entries that are appended from now on must follow those that were copied. One entry of an otherwise unused
 *  log, with a later time, ensures that, and is not needed afterwards. */
async function raiseSequence(to: Store, lastSequence: bigint): Promise<void> {
  if (lastSequence === 0n) return
  const atMs = timeOfSequence(lastSequence) + 1
  const log = changeLogKey(noTableId, 0)
  await to.transact([], () => ({
    writes: [{ kind: 'append', log, atMs, value: Buffer.of(0) }],
    answer: undefined,
  }))
  const keys: Key[] = []
  await to.view((snapshot) => snapshot.range(changeLogRange(noTableId, 0), (key) => keys.push(key) > 0))
  await to.transact([], () => ({ writes: keys.map((key) => ({ kind: 'delete', key })), answer: undefined }))
}

/** Identifiers of tables start above it. */
const noTableId = 0

/** Repeated until a comparison finds no difference: then the copy is what its source was when that comparison began.
 *  A source that others write to is followed as long as that can end. */
async function compare(options: CopyStoreOptions, copied: CopyMark): Promise<CopyMark | undefined> {
  const { from, to, stopping, onStep, onProgress } = options
  let mark = copied
  for (let round = 0; round < mostComparisons; round++) {
    onStep('verify', 0)
    let differences = 0
    let entries = 0
    for await (const { source, writes } of compareStores(from, to, everything, isCopied)) {
      if (stopping.aborted) return undefined
      entries += source.length
      onProgress(source.length, 0)
      if (writes.length > 0) {
        differences += writes.length
        mark = await advance(to, mark, writes, { lastSequence: highestSequence(source, mark.lastSequence) })
      }
      await breathe()
    }
    if (differences === 0) return { ...mark, entries }
  }
  throw new StorageError(
    'damaged',
    'The source changes faster than it can be copied. Stop the programs that use it, then run the same copy again: it copies only what has changed.',
  )
}

const mostComparisons = 4

function isCopied({ key }: Entry): boolean {
  return !notCopied.has(key[0] ?? 0)
}

function highestSequence(entries: readonly Entry[], known: string): string {
  let highest = BigInt(known)
  for (const { key } of entries) {
    if (key[0] !== keySpace.changeLog) continue
    const sequence = sequenceOfKey(key)
    if (sequence > highest) highest = sequence
  }
  return highest.toString()
}

function sizeOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { key, value }) => sum + key.length + value.length, 0)
}

function encode(mark: CopyMark): Buffer {
  return Buffer.from(JSON.stringify(mark))
}

function writeOf(mark: CopyMark): Write {
  return { kind: 'put', key: copyMarkKey(), value: encode(mark) }
}

function copiedByAnother(): StorageError {
  return new StorageError('locked', 'Another process is copying to the same target.')
}
