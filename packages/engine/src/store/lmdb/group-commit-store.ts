import { decodeSequence } from '../sequence.ts'
import { ShortSnapshots } from '../short-snapshots.ts'
import { StorageError } from '../storage-error.ts'
import type { StoreTimers } from '../store-timers.ts'
import type {
  CommittedBatch,
  CompactedStore,
  Decision,
  Following,
  IsSpare,
  Key,
  KeyChange,
  MaybePromise,
  OpenSnapshot,
  Snapshot,
  Store,
  StoreCompaction,
  StoreVerification,
  Value,
} from '../store.ts'
import { compactWhileInUse } from './compact-while-in-use.ts'
import { Batch, lastSequenceKey, type Outcome } from './batch.ts'
import type { DataFile } from './data-file.ts'
import { isOutOfRoom } from './is-out-of-room.ts'
import type { Journal } from './journal.ts'
import { LmdbSnapshot } from './lmdb-snapshot.ts'

interface Pending {
  readonly keys: readonly Key[]
  readonly decide: (values: readonly (Value | undefined)[]) => Decision<unknown>
  readonly isSpare: IsSpare | undefined
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A store on one data file, whose transactions share commits. Without a journal, nothing outlives the process. */
export class GroupCommitStore implements Store {
  readonly #data: DataFile
  readonly #journal: Journal | undefined
  readonly #timers: StoreTimers
  readonly #onClosed: () => void
  readonly #snapshot: LmdbSnapshot
  readonly #snapshots: ShortSnapshots
  #pending: Pending[] = []
  #lastSequence: bigint
  /** The batch that is being committed to LMDB, as long as reads do not show it yet. */
  #unapplied: Batch | undefined
  /** The batches whose effects may still have to be undone, in the order of their decisions. */
  #unsettled: Batch[] = []
  /** Set while batches are written, or while something else happens that they wait for. */
  #committing: Promise<void> | undefined
  /** What to do when nothing is being written to the journal or the data file, one after the other. */
  #whenQuiet: readonly (() => Promise<void>)[] = []
  /** Resolves when a compaction has ended, or has been given up. */
  #compacting: Promise<void> | undefined
  /** Each resolves when a verification has ended. */
  readonly #verifying = new Set<Promise<void>>()
  readonly #followers = new Set<(batch: CommittedBatch) => void>()
  /** The last visible batch. */
  #lastApplied: number
  #checkpointTimer: { cancel(): void } | undefined
  #resumeTimer: { cancel(): void } | undefined
  #closed = false

  constructor(data: DataFile, journal: Journal | undefined, timers: StoreTimers, onClosed: () => void) {
    this.#data = data
    this.#journal = journal
    this.#timers = timers
    this.#onClosed = onClosed
    this.#snapshot = new LmdbSnapshot(data)
    this.#snapshots = new ShortSnapshots(timers)
    const stored = data.get(lastSequenceKey)
    this.#lastSequence = stored === undefined ? 0n : decodeSequence(stored)
    this.#lastApplied = journal?.lastBatch ?? 0
    journal?.onFailure(() => this.#resumeLater(journal))
  }

  /** LMDB's reads are synchronous, and the read transaction they share is only renewed between turns of the event
   *  loop: what one `view` reads without waiting for I/O comes from one snapshot. */
  view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    if (this.#closed) throw closedStore()
    return read(this.#snapshot)
  }

  openSnapshot(): OpenSnapshot {
    if (this.#closed) throw closedStore()
    this.#snapshots.assertFew()
    return this.#snapshots.limit(new LmdbSnapshot(this.#data, this.#data.hold()))
  }

  transact<T>(
    keys: readonly Key[],
    decide: (values: readonly (Value | undefined)[]) => Decision<T>,
    isSpare?: IsSpare,
  ): Promise<T> {
    if (this.#closed) return Promise.reject(closedStore())
    return new Promise<T>((resolve, reject) => {
      this.#pending.push({ keys, decide, isSpare, resolve: resolve as (answer: unknown) => void, reject })
      this.#committing ??= this.#commitPending()
    })
  }

  follow(listener: (batch: CommittedBatch) => void): Following {
    this.#followers.add(listener)
    return {
      store: this.#journal?.store ?? 'memory',
      batch: this.#lastApplied,
      stop: () => this.#followers.delete(listener),
    }
  }

  lastSequence(): bigint {
    return this.#lastSequence
  }

  probe(): Promise<void> {
    const failure = this.#failure()
    return failure === undefined ? Promise.resolve() : Promise.reject(failure)
  }

  async verify(run: StoreVerification): Promise<boolean> {
    if (this.#closed) throw closedStore()
    if (this.#journal === undefined) return true
    const stopping = this.#orClosed(run.stopping)
    const verifying = this.#journal.verify({ ...run, stopping })
    const ended = verifying.then(ignored, ignored)
    this.#verifying.add(ended)
    try {
      const isSound = await verifying
      // It may not have come to its end.
      if (stopping.aborted && !run.stopping.aborted) throw closedStore()
      return isSound
    } finally {
      this.#verifying.delete(ended)
    }
  }

  async compact(run: StoreCompaction): Promise<CompactedStore> {
    const journal = this.#journal
    if (journal === undefined) throw new StorageError('unavailable', 'Data in memory has no file to compact.')
    if (this.#closed) throw closedStore()
    if (this.#compacting !== undefined)
      throw new StorageError('unavailable', 'A compaction is already running. Try again when it has finished.')
    const failure = this.#failure()
    if (failure !== undefined) throw failure
    const compacting = compactWhileInUse({
      journal,
      follow: (note) => this.follow(({ changes }) => note(changes)),
      whenQuiet: (work) => this.#quiet(work),
      run: { ...run, stopping: this.#orClosed(run.stopping) },
    })
    this.#compacting = compacting.then(ignored, ignored)
    try {
      const { closed, ...compacted } = await compacting
      await closed
      return compacted
    } finally {
      this.#compacting = undefined
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#checkpointTimer?.cancel()
    this.#resumeTimer?.cancel()
    // LMDB does not survive reads of a file that it has closed.
    this.#snapshots.closeAll(closedStore())
    await this.#compacting
    await Promise.all(this.#verifying)
    await this.#committing
    try {
      await this.#journal?.close()
    } finally {
      await this.#data.close()
      this.#onClosed()
    }
  }

  /** Closing the store stops what takes long, too. */
  #orClosed(stopping: StoreVerification['stopping']): StoreVerification['stopping'] {
    const isClosed = (): boolean => this.#closed
    return {
      get aborted() {
        return stopping.aborted || isClosed()
      },
    }
  }

  /** Group commit: whatever arrives while one batch is being written to disk shares the next one. While a batch is
   *  being committed to LMDB, the next one is decided on top of it and written to the journal. */
  async #commitPending(): Promise<void> {
    await Promise.resolve()
    let applying: Promise<boolean> = Promise.resolve(true)
    while (this.#hasWork) {
      const [whenQuiet, ...later] = this.#whenQuiet
      if (whenQuiet !== undefined) {
        this.#whenQuiet = later
        await applying
        applying = Promise.resolve(true)
        await whenQuiet()
        continue
      }
      const { batch, decided } = this.#decide()
      const changes = batch.changes()
      let number = this.#lastApplied
      try {
        const failure = this.#failure()
        if (failure !== undefined) throw failure
        if (changes.length > 0) number = (await this.#journal?.append(changes)) ?? number + 1
      } catch (cause) {
        this.#undoFrom(batch)
        rejectAll(decided, cause)
        // Later batches must not build on one that failed.
        await applying
        this.#unapplied = undefined
        // Whoever tries again at once must not keep everything else from running, such as the attempt to continue.
        await this.#timers.pause(0)
        continue
      }
      if (!(await applying)) {
        // It was decided on top of a batch that did not reach the data file.
        applying = Promise.resolve(true)
        const failure = this.#failure()
        if (failure === undefined) this.#pending.unshift(...decided.map(({ transaction }) => transaction))
        else rejectAll(decided, failure)
        continue
      }
      this.#unapplied = batch
      applying = this.#apply(batch, number, changes, decided)
      if (this.#journal?.isCheckpointDue === true) {
        await applying
        await this.#journal.checkpoint()
      }
      // More may arrive while this waits, unless it has already.
      if (this.#pending.length === 0) await applying
    }
    this.#committing = undefined
    this.#checkpointWhenIdle()
  }

  get #hasWork(): boolean {
    return this.#pending.length > 0 || this.#whenQuiet.length > 0
  }

  /** Runs `work` when nothing is being written to the journal or the data file; what arrives meanwhile waits. */
  #quiet(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#whenQuiet = [...this.#whenQuiet, () => work().then(resolve, reject)]
      this.#committing ??= this.#commitPending()
    })
  }

  #tellFollowers(number: number, changes: readonly KeyChange[]): void {
    const previous = this.#lastApplied
    this.#lastApplied = number
    for (const tell of this.#followers) tell({ number, previous, changes })
  }

  /** Why writes are rejected right now. */
  #failure(): StorageError | undefined {
    const failure = this.#journal?.failure
    if (failure === undefined) return undefined
    if (failure.isFinal || !isOutOfRoom(failure.cause)) return brokenStore(failure.cause, failure.isFinal)
    return new StorageError(
      'io',
      'The disk is full. Writes continue when there is free space again.',
      failure.cause,
    )
  }

  #decide(): { readonly batch: Batch; readonly decided: readonly Decided[] } {
    const batch = new Batch(this.#data, this.#lastSequence, this.#unapplied)
    const pending = this.#pending
    const decided: Decided[] = []
    for (const transaction of pending) {
      const outcome = batch.run(transaction.keys, transaction.decide, transaction.isSpare)
      decided.push({ transaction, outcome })
      if (batch.bytes > largeBatchBytes) break
    }
    this.#pending = pending.slice(decided.length)
    this.#unsettled.push(batch)
    return { batch, decided }
  }

  /** Whatever was decided after a batch depends on it. */
  #undoFrom(batch: Batch): void {
    const at = this.#unsettled.indexOf(batch)
    if (at < 0) return
    for (const undone of this.#unsettled.splice(at).toReversed()) undone.undoEffects()
  }

  /** Returns whether the batch was committed. */
  async #apply(
    batch: Batch,
    number: number,
    changes: readonly KeyChange[],
    decided: readonly Decided[],
  ): Promise<boolean> {
    try {
      if (changes.length > 0) {
        this.#lastSequence = batch.lastSequence
        await this.#data.commit(changes)
      }
    } catch (cause) {
      this.#journal?.fail(cause)
      this.#undoFrom(batch)
      rejectAll(decided, this.#failure() ?? brokenStore(cause, false))
      return false
    } finally {
      if (this.#unapplied === batch) this.#unapplied = undefined
    }
    this.#unsettled = this.#unsettled.filter((one) => one !== batch)
    if (changes.length > 0) this.#tellFollowers(number, changes)
    for (const { transaction, outcome } of decided) {
      if (outcome.ok) transaction.resolve(outcome.answer)
      else transaction.reject(outcome.error)
    }
    return true
  }

  /** The last writes must not wait for the next write to reach the data file. */
  #checkpointWhenIdle(): void {
    const journal = this.#journal
    if (journal === undefined || this.#closed || this.#checkpointTimer !== undefined) return
    this.#checkpointTimer = this.#timers.after(journal.idleMs, () => {
      this.#checkpointTimer = undefined
      if (this.#committing === undefined && !this.#closed) void journal.checkpoint()
    })
  }

  /** After a failure, writes continue automatically as soon as the disk allows it. */
  #resumeLater(journal: Journal): void {
    if (this.#closed || journal.failure?.isFinal === true) return
    this.#resumeTimer = this.#timers.after(resumeEveryMs, () => {
      if (!this.#closed) void this.#quiet(() => this.#resume(journal))
    })
  }

  async #resume(journal: Journal): Promise<void> {
    try {
      await journal.resume()
    } catch {
      this.#resumeLater(journal)
    }
  }
}

const resumeEveryMs = 1_000

const ignored = (): void => undefined

/** Bounds the memory of a batch. */
const largeBatchBytes = 16 * 1024 * 1024

interface Decided {
  readonly transaction: Pending
  readonly outcome: Outcome
}

function rejectAll(decided: readonly Decided[], cause: unknown): void {
  const error = cause instanceof StorageError ? cause : notWritten(cause)
  for (const { transaction } of decided) transaction.reject(error)
}

function notWritten(cause: unknown): StorageError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new StorageError('io', `A write could not be committed to disk (${reason}).`, cause)
}

function closedStore(): StorageError {
  return new StorageError('io', 'The store is closed.')
}

function brokenStore(cause: unknown, isFinal: boolean): StorageError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const advice = isFinal ? 'Check the disk, then start again.' : 'Writes continue as soon as the disk accepts them.'
  return new StorageError('io', `The data cannot be written to disk (${reason}). ${advice}`, cause)
}
