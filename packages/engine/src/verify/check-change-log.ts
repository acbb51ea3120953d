import type { Entry } from '../backups/stored-pages.ts'
import type { ShardDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { changeRecordParts } from '../changes/change-record.ts'
import { jsonStart } from '../items/stored-item.ts'
import { keyHeaderBytes } from '../layout/item-keys.ts'
import { following } from '../layout/key-bounds.ts'
import { changeLogRange, keySpace, spaceRange } from '../layout/key-space.ts'
import { sequenceOfKey } from '../store/sequence.ts'
import type { Key, MaybePromise, Snapshot, Value } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import type { Fault } from './finding.ts'
import { firstKey } from './first-key.ts'
import { inTurn } from './in-turn.ts'
import type { KnownTable } from './known-table.ts'
import { ancestorsOf, breakProblem, isSameImage, LogChain, type Break, type LastChange } from './log-chain.ts'
import { placeOfEntry } from './place.ts'
import { readChange } from './read-change.ts'
import { readPage, type Verification } from './verification.ts'

/** Checks a table's change log. Each record must be readable, and be in a shard that exists and that its item belongs
 *  to. The changes of an item must follow each other, and the last one must leave the item as it is now. `hasItems`
 *  is false for a table that was dropped. */
export async function checkChangeLog(
  run: Verification,
  table: KnownTable,
  hasItems: boolean,
  mostItemsAtOnce = 200_000,
): Promise<void> {
  await checkShards(run, table)
  let from = 0
  while (from < everyItem && !run.stopping.aborted) {
    const chain = new LogChain(from, everyItem, mostItemsAtOnce)
    const log = new ChangeLogCheck(run, table, chain, from === 0)
    await log.followShards()
    if (hasItems) await log.compareItems()
    from = chain.to
  }
}

/** Checksums of keys are below it. */
const everyItem = 2 ** 32

/** Looks for records in shards that the table does not have. */
async function checkShards(run: Verification, table: KnownTable): Promise<void> {
  const { from: start, to } = spaceRange(keySpace.changeLog, table.tableId)
  let from: Key = start
  while (!run.stopping.aborted) {
    const found = await run.store.view((snapshot) =>
      whenThere(table.in(snapshot), (definition) =>
        whenThere(firstKey(snapshot, from, to), (key) => key && definition && { key, definition }),
      ),
    )
    if (found === undefined) return
    const { key, definition } = found
    const shardId = key.length === logKeyBytes ? Buffer.from(key).readUInt32BE(keyHeaderBytes) : undefined
    if (shardId === undefined || !(definition.shards ?? []).some((shard) => shard.shardId === shardId)) {
      const problem = 'The change log has records in a shard that the table does not have.'
      await run.report([{ kind: 'change-log', place: placeOfEntry(definition, key), problem }])
    }
    from =
      shardId === undefined || shardId === lastShardId ? following(key) : changeLogRange(table.tableId, shardId).to
  }
}

const logKeyBytes = 17

/** No shard comes after it. */
const lastShardId = 0xffffffff

/** One way through the log, for as many items as are followed at once. */
class ChangeLogCheck {
  readonly #run: Verification
  readonly #table: KnownTable
  readonly #chain: LogChain
  /** Whether the records themselves are looked at too: that need be done once. */
  readonly #readsRecords: boolean
  /** Up to where each shard has been read. */
  readonly #read = new Map<number, Key>()

  constructor(run: Verification, table: KnownTable, chain: LogChain, readsRecords: boolean) {
    this.#run = run
    this.#table = table
    this.#chain = chain
    this.#readsRecords = readsRecords
  }

  /** Reads every shard to its end, parents before their children, and goes on until no shard has been opened or closed
   *  meanwhile: a shard that is closed when its children are begun has been read completely. */
  async followShards(): Promise<void> {
    for (;;) {
      const definition = await this.#run.store.view((snapshot) => this.#table.in(snapshot))
      if (definition === undefined || this.#run.stopping.aborted) return
      for (const shard of inOrder(definition)) await this.#follow(definition, shard)
      const after = await this.#run.store.view((snapshot) => this.#table.in(snapshot))
      if (after === undefined || shardsText(after) === shardsText(definition)) return
    }
  }

  /** Compares what the log says last with the items, of which a few are read at a time together with what the log has got since. */
  async compareItems(): Promise<void> {
    const { names } = this.#chain
    let at = 0
    while (at < names.length && !this.#run.stopping.aborted) {
      const some = names.slice(at, at + itemsAtOnce)
      const compared = await this.#run.store.view((snapshot) => this.#compareSome(snapshot, some))
      if (compared === undefined) return
      await this.#run.report(compared.inLog)
      const isOver = !compared.isBehind && (compared.ofItems.length === 0 || (await this.#reportIfStillSo(some)))
      if (isOver) at += itemsAtOnce
      else await this.followShards()
    }
  }

  /** Where data lies on several machines, only such a snapshot is of one moment on all of them. False if the log must be read first. */
  async #reportIfStillSo(names: readonly string[]): Promise<boolean> {
    const snapshot = await this.#run.store.openSnapshot()
    try {
      const compared = await this.#compareSome(snapshot, names)
      await this.#run.report([...(compared?.inLog ?? []), ...(compared?.ofItems ?? [])])
      return compared?.isBehind !== true
    } finally {
      snapshot.close()
    }
  }

  async #follow(definition: TableDefinition, shard: ShardDefinition): Promise<void> {
    const { from, to } = this.#unread(shard)
    await this.#run.eachPage({ from, to }, (snapshot, page) => this.#judge(definition, shard, snapshot, page))
  }

  #unread({ shardId }: ShardDefinition): { readonly from: Key; readonly to: Key } {
    const { from, to } = changeLogRange(this.#table.tableId, shardId)
    const last = this.#read.get(shardId)
    return { from: last === undefined ? from : following(last), to }
  }

  #judge(
    definition: TableDefinition,
    shard: ShardDefinition,
    snapshot: Snapshot,
    page: readonly Entry[],
  ): MaybePromise<readonly Fault[]> {
    const faults: Fault[] = []
    const breaks: Break[] = []
    const ancestors = ancestorsOf(definition).get(shard.shardId) ?? new Set<number>()
    for (const entry of page) {
      if (entry.key.length !== logKeyBytes) continue
      const { problems, change } = readChange(definition, shard, entry.value)
      if (this.#readsRecords) {
        const place = placeOfEntry(definition, entry.key, change?.keys)
        faults.push(...problems.map((problem): Fault => ({ kind: 'change-log', place, problem })))
      }
      const parentEnd = shard.parentShardId === undefined ? undefined : this.#read.get(shard.parentShardId)
      if (this.#readsRecords && parentEnd !== undefined && sequenceOfKey(entry.key) <= sequenceOfKey(parentEnd)) {
        const problem = 'The change has a sequence number that is not above those of the shard before its own.'
        faults.push({ kind: 'change-log', place: placeOfEntry(definition, entry.key, change?.keys), problem })
      }
      const broken = change && this.#chain.add(shard, ancestors, entry, change)
      if (broken !== undefined) breaks.push(broken)
      this.#read.set(shard.shardId, entry.key)
      this.#run.sawSequence(sequenceOfKey(entry.key))
    }
    if (breaks.length === 0) return faults
    return whenThere(snapshot.getMany(breaks.map(({ before }) => before.logKey)), (values) => {
      breaks.forEach((broken, position) => {
        const value = values[position]
        // What has been trimmed meanwhile may have had changes between the two.
        const problem = value && breakProblem(broken, value)
        if (problem === undefined) return
        const place = placeOfEntry(definition, broken.entry.key, broken.change.keys)
        faults.push({ kind: 'change-log', place, problem })
      })
      return faults
    })
  }

  #compareSome(snapshot: Snapshot, names: readonly string[]): MaybePromise<Compared | undefined> {
    return whenThere(this.#table.in(snapshot), (definition) => {
      if (definition === undefined) return undefined
      const faults: Fault[] = []
      let isBehind = false
      const catchUp = (shard: ShardDefinition): MaybePromise<void> =>
        whenThere(readPage(snapshot, this.#unread(shard)), ({ entries, isLast }) => {
          isBehind ||= !isLast
          if (isBehind || entries.length === 0) return undefined
          return whenThere(this.#judge(definition, shard, snapshot, entries), (more) => void faults.push(...more))
        })
      const steps = inOrder(definition).map((shard) => () => catchUp(shard))
      return inTurn(steps, () => {
        if (isBehind) return { inLog: faults, ofItems: [], isBehind }
        return whenThere(this.#judgeItems(snapshot, definition, names), (ofItems) => ({
          inLog: faults,
          ofItems,
          isBehind,
        }))
      })
    })
  }

  #judgeItems(
    snapshot: Snapshot,
    definition: TableDefinition,
    names: readonly string[],
  ): MaybePromise<readonly Fault[]> {
    const ancestors = ancestorsOf(definition)
    const items = names.flatMap((name) => {
      const last = this.#chain.lastOf(name)
      const key = Buffer.concat([spaceRange(keySpace.item, definition.tableId).from, Buffer.from(name, 'latin1')])
      return last !== undefined && isLatest(definition, ancestors, key, last) ? [{ key, last }] : []
    })
    if (items.length === 0) return []
    return whenThere(
      snapshot.getMany([...items.map(({ key }) => key), ...items.map(({ last }) => last.logKey)]),
      (values) =>
        items.flatMap(({ key, last }, position): Fault | readonly [] => {
          const record = values[items.length + position]
          const problem = record && itemProblem(last, record, values[position])
          return problem === undefined ? [] : { kind: 'change-log', place: placeOfEntry(definition, key), problem }
        }),
    )
  }
}

/** What items and log come to, of one moment. */
interface Compared {
  /** What is wrong in what the log has got since it was last read. */
  readonly inLog: readonly Fault[]
  readonly ofItems: readonly Fault[]
  /** Whether the log has got too much since. */
  readonly isBehind: boolean
}

const itemsAtOnce = 200

/** Whether what the log says of an item is the last that was written of it: if the log was off since, it need not be. */
function isLatest(
  definition: TableDefinition,
  ancestors: ReadonlyMap<number, ReadonlySet<number>>,
  key: Key,
  { shardId }: LastChange,
): boolean {
  const hash = Buffer.from(key).readUInt32BE(keyHeaderBytes)
  const open = (definition.shards ?? []).find(
    ({ closedAt, fromHash, toHash }) => closedAt === undefined && hash >= fromHash && hash < toHash,
  )
  return open !== undefined && (open.shardId === shardId || ancestors.get(open.shardId)?.has(shardId) === true)
}

function itemProblem(last: LastChange, record: Value, item: Value | undefined): string | undefined {
  if (last.isThere !== (item !== undefined)) {
    return last.isThere
      ? 'The item does not exist, but according to the last change in the log it should.'
      : 'The item exists, but the last change in the log removed it.'
  }
  const { newImage } = changeRecordParts(record)
  if (item === undefined || newImage === undefined || isSameImage(item.subarray(jsonStart(item)), newImage))
    return undefined
  return 'The item differs from its last change in the log.'
}

function inOrder({ shards = [] }: TableDefinition): readonly ShardDefinition[] {
  return shards.toSorted((one, other) => one.shardId - other.shardId)
}

function shardsText({ shards = [] }: TableDefinition): string {
  return JSON.stringify(shards)
}
