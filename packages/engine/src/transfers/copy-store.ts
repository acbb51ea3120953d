import { createHash } from 'node:crypto'
import { breathe, type Stopping } from '../background/background-work.ts'
import { storedPages, type Entry } from '../backups/stored-pages.ts'
import { following } from '../layout/key-bounds.ts'
import { keyPlacement } from '../layout/key-placement.ts'
import {
  changeLogKey,
  changeLogRange,
  copyMarkKey,
  formatKey,
  formatVersion,
  keySpace,
} from '../layout/key-space.ts'
import { decodeCounters, encodeCounters } from '../store/counters.ts'
import { sequenceOfKey, timeOfSequence } from '../store/sequence.ts'
import { StorageError } from '../store/storage-error.ts'
import type { Decision, Key, OpenSnapshot, Store, Write } from '../store/store.ts'

export interface CopyStoreOptions {
  readonly from: Store
  readonly to: Store
  /** Names the source: a copy is only taken up again from where it was begun. */
  readonly source: string
  readonly stopping: Stopping
  readonly onStep: (step: 'copy' | 'verify', entriesBefore: number) => void
  readonly onProgress: (entries: number, bytes: number) => void
}

export interface CopiedStore {
  /** Whether it came to its end; if not, the same copy goes on from there the next time. */
  readonly isComplete: boolean
  readonly entries: number
}

/** Copies all that one store holds to another, which must be empty, or hold the beginning of the same copy. How far it has come is
 *  written with each part of it. At the end both are read again and compared; until then no engine opens the new one. */
export async function copyStore(options: CopyStoreOptions): Promise<CopiedStore> {
  const { from, to, stopping } = options
  const snapshot = await from.openSnapshot()
  try {
    await assertFormat(snapshot)
    const begun = await beginCopy(options)
    const copied = await copyEntries(options, snapshot, begun)
    if (stopping.aborted) return { isComplete: false, entries: copied.entries }
    await raiseSequence(to, BigInt(copied.lastSequence))
    const isVerified = await verify(options, snapshot)
    if (!isVerified) return { isComplete: false, entries: copied.entries }
    await to.transact([], () => ({ writes: [{ kind: 'delete', key: copyMarkKey() }], answer: undefined }))
    return { isComplete: true, entries: copied.entries }
  } finally {
    snapshot.close()
  }
}

/** How far a copy has come. ON DISK as JSON, until the copy is complete. */
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
])

const everything = { from: Buffer.of(keySpace.format), to: Buffer.of(0xff) }

async function assertFormat(snapshot: OpenSnapshot): Promise<void> {
  const format = await snapshot.get(formatKey())
  if (format?.[0] === formatVersion) return
  throw new StorageError(
    'incompatible',
    format === undefined
      ? 'There is nothing to copy: the source holds no data.'
      : `The source has format ${format[0]}, and this version of hashrange copies format ${formatVersion}.`,
  )
}

async function beginCopy({ to, source }: CopyStoreOptions): Promise<CopyMark> {
  const found = await to.view((snapshot) => snapshot.get(copyMarkKey()))
  if (found !== undefined) {
    const mark = JSON.parse(found.toString('utf8')) as CopyMark
    if (mark.source === source) return mark
    throw new StorageError(
      'incompatible',
      `The target holds a part of a copy of ${mark.source}, which is another source. Finish that copy, or use an empty target.`,
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
    throw new StorageError('incompatible', 'The target holds data already. Copy to an empty database or folder.')
  }
  const mark: CopyMark = { source, entries: 0, lastSequence: '0' }
  await to.transact([copyMarkKey()], ([value]): Decision<void> => {
    if (value !== undefined) throw copiedByAnother()
    return { writes: [writeOf(mark)], answer: undefined }
  })
  return mark
}

async function copyEntries(
  { to, stopping, onStep, onProgress }: CopyStoreOptions,
  snapshot: OpenSnapshot,
  begun: CopyMark,
): Promise<CopyMark> {
  onStep('copy', begun.entries)
  let mark = begun
  const from = begun.lastKey === undefined ? everything.from : following(Buffer.from(begun.lastKey, 'base64'))
  for await (const page of storedPages(snapshot, { ...everything, from })) {
    if (stopping.aborted) return mark
    const entries = page.filter(isCopied)
    const next: CopyMark = {
      ...mark,
      lastKey: Buffer.from(page.at(-1)?.key ?? from).toString('base64'),
      entries: mark.entries + entries.length,
      lastSequence: highestSequence(entries, BigInt(mark.lastSequence)).toString(),
    }
    const before = encode(mark)
    await to.transact([copyMarkKey()], ([value]): Decision<void> => {
      if (value === undefined || !value.equals(before)) throw copiedByAnother()
      return { writes: [...entries.map(writeOfEntry), writeOf(next)], answer: undefined }
    })
    mark = next
    onProgress(entries.length, sizeOf(entries))
    await breathe()
  }
  return mark
}

/** Counters may be kept in parts: they are added to nothing, and so become what they were. */
function writeOfEntry({ key, value }: Entry): Write {
  if (keyPlacement.isCounter(key)) return { kind: 'add', key, amounts: decodeCounters(value) }
  return { kind: 'put', key, value }
}

/** Entries of logs that are appended from now on must follow those that were copied. One entry of a log that is nobody's, of a later
 *  moment, sees to that, and is not needed afterwards. */
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

/** Tables' identifiers begin above it. */
const noTableId = 0

async function verify(options: CopyStoreOptions, source: OpenSnapshot): Promise<boolean> {
  const { to, stopping, onStep, onProgress } = options
  onStep('verify', 0)
  const target = await to.openSnapshot()
  try {
    const [expected, found] = await Promise.all([
      digestOf(source, stopping, (entries) => onProgress(entries, 0)),
      digestOf(target, stopping, () => undefined),
    ])
    if (expected === undefined || found === undefined) return false
    if (expected.digest === found.digest && expected.entries === found.entries) return true
    throw new StorageError(
      'damaged',
      `The copy is not what its source is: ${found.entries} entries where there are ${expected.entries}, or different ones. Was the source changed while it was copied? Empty the target, stop what uses the source, and copy again.`,
    )
  } finally {
    target.close()
  }
}

async function digestOf(
  snapshot: OpenSnapshot,
  stopping: Stopping,
  onProgress: (entries: number) => void,
): Promise<{ readonly digest: string; readonly entries: number } | undefined> {
  const hash = createHash('sha256')
  const lengths = Buffer.alloc(8)
  let entries = 0
  for await (const page of storedPages(snapshot, everything)) {
    if (stopping.aborted) return undefined
    const copied = page.filter(isCopied)
    for (const { key, value } of copied) {
      const canonical = keyPlacement.isCounter(key) ? encodeCounters(decodeCounters(value)) : value
      lengths.writeUInt32BE(key.length, 0)
      lengths.writeUInt32BE(canonical.length, 4)
      hash.update(lengths).update(key).update(canonical)
    }
    entries += copied.length
    onProgress(copied.length)
    await breathe()
  }
  return { digest: hash.digest('hex'), entries }
}

function isCopied({ key }: Entry): boolean {
  return !notCopied.has(key[0] ?? 0)
}

function highestSequence(entries: readonly Entry[], known: bigint): bigint {
  let highest = known
  for (const { key } of entries) {
    if (key[0] !== keySpace.changeLog) continue
    const sequence = sequenceOfKey(key)
    if (sequence > highest) highest = sequence
  }
  return highest
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
  return new StorageError('locked', 'Another process copies to the same target.')
}
