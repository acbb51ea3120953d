import { randomBytes } from 'node:crypto'
import { logEntryKey, StorageError, type Key } from '@hashrange/engine'
import { isRefusedWrite, takesNoWrites } from '../address/takes-no-writes.ts'
import type { Call, Link } from '../connection/link.ts'
import type { LinkPool } from '../connection/link-pool.ts'
import { encodeInt4Array } from '../connection/messages.ts'
import { isConflict, isElsewhere, isUnavailable, LinkLost, type SqlError } from '../connection/sql-error.ts'
import { lockKeys, nameOf, readKeys, shardsByPart, type Dialect, type Found } from '../reads/found.ts'
import type { PointReads } from '../reads/point-reads.ts'
import { beginLogs, type LogPaths } from './begin-logs.ts'
import { decideGroup, homeOf, type DecidedGroup } from './decide-group.ts'
import type { Pending } from './group-commit.ts'
import type { WriteCounts } from '../figures.ts'
import { Rerouted } from './rerouted.ts'
import { asSilent, assertNoneSilent, SilentNode } from './silent-node.ts'
import type { LogRun } from './write-set.ts'

export interface TransactionPaths {
  readonly dialect: Dialect
  readonly writers: LinkPool
  /** Where logs are begun: of several nodes, the coordinator. */
  readonly logs: LogPaths
  readonly points: PointReads
  /** Which slot of its counters a lane adds to. */
  readonly slots: readonly number[]
  /** How long to keep trying under contention. */
  readonly patienceMs: number
  /** Whether entries are locked before they are read, from the first attempt on. */
  readonly locksFirst: boolean
  readonly counts: WriteCounts
}

/** Runs a group of transactions as one database transaction, and settles each. Repeats until nobody interferes: first
 *  reading without locks and verifying at the end; after a few attempts locking what was read, so that it gets its
 *  turn. */
export async function runGroup(paths: TransactionPaths, all: readonly Pending[], lane: number): Promise<void> {
  const untilMs = performance.now() + paths.patienceMs
  let attempt = 0
  for (;;) {
    const group = all.filter(({ isSettled }) => !isSettled)
    if (group.length === 0) return
    paths.counts.groups++
    paths.counts.transactions += group.length
    const locks = paths.locksFirst || attempt >= optimisticAttempts
    const error = await (locks ? runLocked(paths, group, lane) : runVerified(paths, group, lane)).catch(asSilent)
    if (error instanceof SilentNode) {
      // The others of the group may be about nodes that answer.
      if (group.length === 1) rejectAll(group, error.refusal)
      else for (const pending of group) await runGroup(paths, [pending], lane)
      return
    }
    attempt++
    if (error === undefined) continue
    if (paths.dialect.node !== undefined && isElsewhere(error)) throw new Rerouted(error)
    if (paths.dialect.distributed && waitedTooLong.has(error.code))
      await finishCommits(paths).catch(() => undefined)
    if (isConflict(error)) {
      paths.counts.conflicts++
      if (performance.now() > untilMs) {
        rejectAll(
          group,
          new StorageError('contended', 'Too many other writes are changing the same entries.', error),
        )
        return
      }
      await pause(Math.random() * Math.min(50, 2 ** attempt))
      continue
    }
    if (group.length > 1 && !isUnavailable(error)) {
      // If the database rejects one of them, the others are not to blame.
      for (const pending of group) await runGroup(paths, [pending], lane)
      return
    }
    rejectAll(group, storageError(error))
    return
  }
}

const optimisticAttempts = 3
const waitedTooLong = new Set(['55P03', '57014'])

/** A transaction that a node has prepared, and whose end it was not told, holds its locks until Citus looks for it, once
 *  a minute by default. Whoever waits for them has it look now. */
async function finishCommits({ dialect, writers }: TransactionPaths): Promise<void> {
  const link = await writers.acquire()
  try {
    // Some roles may not, and then it is done later.
    await link.run([{ statement: dialect.statements.finishCommits, parameters: [] }])
  } finally {
    writers.release(link)
  }
}

/** Two round trips on one connection: read; then write, verify and commit. Each process of the database that takes part
 *  in a group has to be woken, and has caches of its own. Returns the error that ended the attempt. */
async function runVerified(
  paths: TransactionPaths,
  group: readonly Pending[],
  lane: number,
): Promise<SqlError | undefined> {
  const keys = keysOf(group)
  const { link, found } = await orElsewhere(paths, () => readGroup(paths, keys))
  try {
    let decided = decideGroup(paths.dialect, group, found)
    if (decided.writes.isEmpty && paths.dialect.node !== undefined) {
      // On a node, only writing verifies that it still had what was read.
      decided.effects.undo()
      decided = decideGroup(paths.dialect, group, await orElsewhere(paths, () => paths.points.read(keys)))
    }
    if (decided.writes.isEmpty) return settle(decided)
    const final = decided
    return await orUndo(final, async () => {
      await beginLogs(paths.logs, final.writes.runs)
      return write(paths, link, final, lane, false)
    })
  } finally {
    paths.writers.release(link)
  }
}

/** The connection belongs to the caller. One that has ended while it was idle is replaced: reading again is harmless. */
async function readGroup(
  paths: TransactionPaths,
  keys: readonly Key[],
): Promise<{ readonly link: Link; readonly found: readonly (Found | undefined)[] }> {
  for (let isAgain = false; ; isAgain = true) {
    const link = await paths.writers.acquire()
    try {
      return { link, found: await readWith(paths, link, keys) }
    } catch (error) {
      paths.writers.release(link)
      if (isAgain || !(error instanceof LinkLost)) throw error
    }
  }
}

/** What several statements read is of one moment only on the connections for reading. On a node, all of it is verified. */
async function readWith(
  { dialect, points }: TransactionPaths,
  link: Link,
  keys: readonly Key[],
): Promise<readonly (Found | undefined)[]> {
  if (keys.length === 0) return []
  const { calls, answers } = readKeys(dialect, keys)
  if (calls.length > 1 && dialect.node === undefined) return points.read(keys)
  const error = await link.runOne(calls)
  if (error !== undefined) throw error
  return answers
}

/** What fails on a node before anything is written can still be done by the coordinator. Of a node that was silent, the
 *  coordinator would only wait for as long again. */
async function orElsewhere<T>({ dialect, writers }: TransactionPaths, attempt: () => Promise<T>): Promise<T> {
  if (dialect.node === undefined) return attempt()
  try {
    return await attempt()
  } catch (error) {
    if (writers.isSilent) throw error
    throw new Rerouted(error)
  }
}

/** Two round trips: lock and read; then write and commit. */
async function runLocked(
  paths: TransactionPaths,
  group: readonly Pending[],
  lane: number,
): Promise<SqlError | undefined> {
  const { statements } = paths.dialect
  const { node, placement, distributed } = paths.dialect
  const keys = keysOf(group)
  const home = homeOf(paths.dialect, group)
  assertNoneSilent(
    paths.dialect,
    keys.map((key) => placement.shardFrom(home, key)),
  )
  const { calls, answers } = lockKeys(paths.dialect, keys, home)
  const link = await orElsewhere(paths, () => paths.writers.acquire())
  try {
    const begin: Call[] = [{ statement: statements.begin, parameters: [] }]
    if (distributed) begin.push({ statement: statements.passGate, parameters: [] })
    if (node !== undefined && keys.length > 0)
      begin.push(node.hold(new Set(keys.map((key) => placement.shardOf(key))), true))
    const [refused] = await link.run([...begin, ...calls])
    if (refused !== undefined) {
      await rollBack(paths, link)
      return refused
    }
    const decided = decideGroup(paths.dialect, group, answers)
    if (decided.writes.isEmpty) {
      const home = homeOf(paths.dialect, group)
      const shards = new Set(keys.map((key) => placement.shardFrom(home, key)))
      const [changed] = await link.run([
        ...enlist(paths.dialect, shards),
        ...reserveAbsent(paths.dialect, group, answers),
      ])
      await rollBack(paths, link)
      return changed ?? settle(decided)
    }
    return await orUndo(decided, async () => {
      assertNoneSilent(paths.dialect, decided.writes.shards)
      await beginLogs(paths.logs, decided.writes.runs)
      return write(paths, link, decided, lane, true)
    })
  } catch (error) {
    // The next user of the connection must not find a transaction open.
    await rollBack(paths, link)
    throw error
  } finally {
    paths.writers.release(link)
  }
}

/** Of each part of the tables one shard, if there are several. */
function enlist(dialect: Dialect, shards: ReadonlySet<number>): readonly Call[] {
  if (!dialect.distributed) return []
  const ofEach = shardsByPart(dialect, shards).map(([first = 0]) => first)
  return ofEach.length < 2 ? [] : [{ statement: dialect.statements.enlist, parameters: [encodeInt4Array(ofEach)] }]
}

/** What was read on several nodes is of one moment if all of it was locked at one moment. An entry that is absent cannot
 *  be locked: a row in its place, which is taken back, keeps others from creating it, and fails if somebody has. */
function reserveAbsent(
  { statements, placement, distributed }: Dialect,
  group: readonly Pending[],
  answers: readonly (Found | undefined)[],
): readonly Call[] {
  const keys = keysOf(group)
  if (!distributed || keys.length === 1) return []
  const absent = new Map<string, Key>()
  keys.forEach((key, position) => {
    if (answers[position] === undefined && !placement.isCounter(key)) absent.set(nameOf(key), key)
  })
  const home = homeOf({ placement }, group)
  return [...absent.values()]
    .map((key) => ({ key, shard: placement.shardFrom(home, key) }))
    .toSorted((a, b) => a.shard - b.shard || Buffer.compare(a.key, b.key))
    .map(({ key, shard }) => ({
      statement: statements[placement.tableOf(key)].insert,
      parameters: [shard, key, noVersion, noBytes],
    }))
}

const noVersion = Buffer.alloc(8)
const noBytes = Buffer.alloc(0)

async function write(
  paths: TransactionPaths,
  link: Link,
  decided: DecidedGroup,
  lane: number,
  areLocked: boolean,
): Promise<SqlError | undefined> {
  const { statements, distributed } = paths.dialect
  const version = randomBytes(8)
  const slot = paths.slots[lane] ?? 0
  const held = paths.dialect.node?.hold(decided.writes.shards, true)
  const commit: Call[] = [{ statement: statements.commit, parameters: [] }]
  const calls = [
    ...(held === undefined ? [] : [held]),
    ...enlist(paths.dialect, decided.writes.shards),
    ...decided.writes.entryCalls(version, areLocked),
    ...decided.writes.counterCalls(slot),
  ]
  const whole = (): readonly Call[] => [...calls, ...decided.writes.appendCalls(version)]
  // What is sent up to a Sync is a transaction without saying so.
  const outcomes = !areLocked
    ? [await committing(() => link.runOne(whole()))]
    : distributed && decided.writes.runs.length > 0
      ? await writeInTwoSteps(paths, link, decided, calls, version)
      : await committing(() => link.run(whole(), commit))
  const [error, uncommitted] = outcomes
  if (error !== undefined) return error
  // A database on one node has undone what it could not commit. Of several, one may have committed.
  if (uncommitted !== undefined && distributed && !isConflict(uncommitted)) throw unconfirmed(uncommitted)
  if (uncommitted !== undefined) return uncommitted
  if (distributed && link.takeHalfCommitted()) await untilVisible(paths, link, decided, version)
  settle(decided)
  return undefined
}

/** A node may commit later than the others, if the connection to it fails in between. Nobody is told that the write is
 *  done before reads see it. */
async function untilVisible(
  { dialect, patienceMs }: TransactionPaths,
  link: Link,
  { writes }: DecidedGroup,
  version: Buffer,
): Promise<void> {
  const { finishCommits } = dialect.statements
  const untilMs = performance.now() + patienceMs
  do {
    let visible = 0
    const calls = writes.visibleCalls((found) => (visible += found?.equals(version) === true ? 1 : 0))
    const [, unread] = await committing(() => link.run([{ statement: finishCommits, parameters: [] }], calls ?? []))
    if (calls === undefined) break
    if (unread === undefined && visible === calls.length) return
    await pause(50)
  } while (performance.now() < untilMs)
  throw unconfirmed()
}

function unconfirmed(cause?: SqlError): StorageError {
  return new StorageError(
    'unavailable',
    'A node of the database did not confirm a commit. It is not known whether the write was done.',
    cause,
  )
}

/** Decisions have no effects unless they are committed; if a commit may have happened, nobody knows. */
async function orUndo(
  { effects }: DecidedGroup,
  attempt: () => Promise<SqlError | undefined>,
): Promise<SqlError | undefined> {
  try {
    const error = await attempt()
    if (error !== undefined) effects.undo()
    return error
  } catch (error) {
    effects.undo()
    throw error
  }
}

/** Where the tables are distributed over nodes, one statement cannot both number a log's entries and add them: the
 *  numbers are fetched first. */
async function writeInTwoSteps(
  { dialect }: TransactionPaths,
  link: Link,
  { writes }: DecidedGroup,
  calls: readonly Call[],
  version: Buffer,
): Promise<readonly (SqlError | undefined)[]> {
  const { statements } = dialect
  const entries: Call[] = []
  const took = ({ shard, log, values }: LogRun, first: bigint): void =>
    values.forEach((value, position) => {
      const key = logEntryKey(log, first + BigInt(position))
      entries.push({ statement: statements.entries.insert, parameters: [shard, key, version, value] })
    })
  const [refused] = await link.run([...calls, ...writes.sequenceCalls(took)])
  if (refused !== undefined) {
    await link.run([{ statement: statements.rollback, parameters: [] }])
    return [refused]
  }
  return committing(() => link.run(entries, [{ statement: statements.commit, parameters: [] }]))
}

/** A connection that is lost now may or may not have committed. It must not be tried again: the decision might be
 *  applied twice. */
async function committing<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof LinkLost)) throw error
    throw new StorageError(
      'unavailable',
      'The connection to the database was lost during a commit. It is not known whether the write was done.',
      error,
    )
  }
}

async function rollBack({ dialect }: TransactionPaths, link: Link): Promise<void> {
  await link.run([{ statement: dialect.statements.rollback, parameters: [] }]).catch(() => undefined)
}

function settle({ settled }: DecidedGroup): undefined {
  for (const settleOne of settled) settleOne()
  return undefined
}

function keysOf(group: readonly Pending[]): readonly Key[] {
  return group.length === 1 ? (group[0]?.keys ?? []) : group.flatMap(({ keys }) => keys)
}

function rejectAll(group: readonly Pending[], error: Error): void {
  for (const { reject } of group) reject(error)
}

function storageError(error: SqlError): StorageError {
  if (isRefusedWrite(error)) return takesNoWrites('one of them', error)
  return isUnavailable(error)
    ? new StorageError('unavailable', `The database is not available (${error.message}).`, error)
    : new StorageError('io', `The database refused a write (${error.message}).`, error)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
