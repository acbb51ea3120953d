import type { Table } from '../catalog/table.ts'
import { applyChanges, type AppliedChanges } from '../replication/apply-changes.ts'
import { forgetOldConflicts } from '../replication/conflicts.ts'
import { readReceived, receivedWrite, type ReceivedCursor } from '../replication/cursor.ts'
import { replicaIn } from '../replication/members.ts'
import type { ReplicatedChange } from '../replication/replicated-change.ts'
import { breathe } from '../work/background-work.ts'
import type { Lease } from '../work/leases.ts'
import { MessageLines, readChangeLine } from './change-lines.ts'
import type { LinkHost } from './link-host.ts'
import { linkVersion, type ExchangeAnswer, type ExchangeRequest, type PageHead } from './link-messages.ts'
import { fingerprintOf, linkedTable, linkedTables, viewsOf } from './linked-tables.ts'
import { malformed, readExchangeAnswer } from './read-message.ts'

export interface Received {
  readonly answer: ExchangeAnswer
  /** How many changes came. */
  readonly changes: number
}

/** Receives what was written in another region, as long as this server has the lease for that. */
export class Receiver {
  readonly #engine: LinkHost
  readonly #ownRegion: string
  readonly #region: string
  readonly #lease: Lease
  /** How far the replicas are, by the name of what they receive. */
  readonly #cursors = new Map<string, ReceivedCursor>()
  /** Those that have only moved over what is not sent to us. They are written now and then: nothing is lost with them. */
  readonly #moved = new Set<number>()
  #movedAtMs = 0
  #told = ''
  #known = ''
  #toldAtMs = -Infinity
  #askedAtSteadyMs = 0

  constructor(engine: LinkHost, ownRegion: string, region: string, lease: Lease) {
    this.#engine = engine
    this.#ownRegion = ownRegion
    this.#region = region
    this.#lease = lease
  }

  get region(): string {
    return this.#region
  }

  async request(waitMs: number, refused: readonly string[]): Promise<ExchangeRequest> {
    await this.#engine.refresh()
    const tables = linkedTables(this.#engine.catalog, this.#region)
    const fingerprint = fingerprintOf(tables)
    const isDue = fingerprint !== this.#told || performance.now() - this.#toldAtMs > viewsEveryMs
    if (isDue) this.#toldAtMs = performance.now()
    this.#told = fingerprint
    this.#askedAtSteadyMs = this.#engine.clock.steady()
    const filled = tables.filter(
      ({ definition }) => definition.status !== 'CREATING' && definition.status !== 'DELETING',
    )
    return {
      version: linkVersion,
      from: this.#ownRegion,
      of: this.#region,
      waitMs,
      lagMs: this.#engine.regions.linkBetween(this.#region, this.#ownRegion).lagMs,
      known: isDue ? '' : this.#known,
      views: isDue ? await viewsOf(this.#engine, tables) : undefined,
      tables: await Promise.all(
        filled.map(async (table) => ({
          id: table.definition.replication?.globalTableId ?? '',
          region: table.definition.region,
          cursor: { positions: (await this.#cursorOf(table)).positions },
        })),
      ),
      refused,
    }
  }

  /** Applies what has come. Each page is one transaction, with the position after it. */
  async receive(bytes: Buffer): Promise<Received> {
    const lines = new MessageLines(bytes)
    const answer = readExchangeAnswer(lines.head())
    if (answer.from !== this.#region) {
      throw malformed(`it is from ${answer.from}, and not from ${this.#region}`)
    }
    const pages: {
      readonly head: PageHead
      readonly table: Table | undefined
      readonly changes: readonly ReplicatedChange[]
    }[] = []
    for (const head of answer.pages) {
      const table = linkedTable(this.#engine.catalog, head.id, head.to)
      pages.push({ head, table, changes: await this.#changesIn(lines, head, table) })
    }
    await Promise.all(
      pages.map(async ({ head, table, changes }) => {
        if (table !== undefined) await this.#apply(table, head, changes)
      }),
    )
    this.#known = answer.fingerprint
    return { answer, changes: pages.reduce((sum, { changes }) => sum + changes.length, 0) }
  }

  /** Remembers since when everything of the other replicas is everywhere, for tombstones; and, now and then, how far this
   *  store is. */
  async noteSent({ views = [] }: ExchangeAnswer): Promise<void> {
    for (const { id, sentAgeMs } of views) {
      for (const table of linkedTables(this.#engine.catalog, this.#region)) {
        if (table.definition.replication?.globalTableId !== id) continue
        const cursor = await this.#cursorOf(table)
        // Its age when it was asked for: on the way it only got older.
        const sentUntilMs = Math.floor(this.#askedAtSteadyMs - sentAgeMs)
        if (sentUntilMs - (cursor.sentUntilMs ?? 0) < sentEveryMs) continue
        this.#cursors.set(this.#nameOf(table), { ...cursor, sentUntilMs })
        this.#moved.add(table.id)
      }
    }
    await this.#writeMoved()
  }

  async #changesIn(
    lines: MessageLines,
    { changes: count }: PageHead,
    table: Table | undefined,
  ): Promise<readonly ReplicatedChange[]> {
    const changes: ReplicatedChange[] = []
    const nowMs = this.#engine.clock.now()
    for (let n = 0; n < count; n++) {
      const line = lines.next()
      if (table === undefined) continue
      const change = readChangeLine(line, { definition: table.definition, nowMs })
      if (change.stamp.stamp.region !== this.#region) throw malformed('it sends the write of a third region')
      changes.push(change)
      if (n % 100 === 99) await breathe()
    }
    return changes
  }

  async #apply(table: Table, head: PageHead, changes: readonly ReplicatedChange[]): Promise<void> {
    const before = await this.#cursorOf(table)
    const cursor: ReceivedCursor = { ...before, positions: head.cursor.positions }
    if (replicaIn(table.definition, this.#region) === undefined || table.isDropped) return
    this.#cursors.set(this.#nameOf(table), cursor)
    if (changes.length === 0) {
      this.#moved.add(table.id)
      return
    }
    try {
      const beside = [receivedWrite(table.id, this.#region, cursor)]
      const applied = await applyChanges(this.#engine, table, changes, { through: this.#lease, beside })
      this.#moved.delete(table.id)
      this.#charge(table, applied)
      if (applied.conflicts > 0) await forgetOldConflicts(this.#engine.store, table)
    } catch (error) {
      this.#cursors.set(this.#nameOf(table), before)
      throw error
    }
  }

  /** A replicated write costs the replica that it reaches as much as a write of its own. */
  #charge(table: Table, { writes }: AppliedChanges): void {
    for (const { key, units, owner, indexWrites } of writes) {
      this.#engine.capacity.didWrite(table, key, units, owner, indexWrites)
    }
  }

  async #writeMoved(): Promise<void> {
    if (this.#moved.size === 0 || performance.now() - this.#movedAtMs < movedEveryMs) return
    this.#movedAtMs = performance.now()
    const writes = linkedTables(this.#engine.catalog, this.#region).flatMap((table) => {
      const cursor = this.#moved.has(table.id) ? this.#cursors.get(this.#nameOf(table)) : undefined
      return cursor === undefined ? [] : [receivedWrite(table.id, this.#region, cursor)]
    })
    this.#moved.clear()
    await this.#lease.transact([], () => ({ writes, answer: undefined }))
  }

  /** A replica that comes back to the other region is another one, with a log of its own. */
  #nameOf({ id, definition }: Table): string {
    return `${id} ${definition.replication?.globalTableId ?? ''} ${replicaIn(definition, this.#region)?.joinedAtMs ?? 0}`
  }

  /** A replica that has received nothing begins with the other's log. */
  async #cursorOf(table: Table): Promise<ReceivedCursor> {
    const known = this.#cursors.get(this.#nameOf(table))
    if (known !== undefined) return known
    const stored = await this.#engine.store.view((snapshot) => readReceived(snapshot, table.id, this.#region))
    const cursor = stored ?? { positions: {} }
    this.#cursors.set(this.#nameOf(table), cursor)
    return cursor
  }
}

const viewsEveryMs = 5_000
const movedEveryMs = 1_000
const sentEveryMs = 60_000
