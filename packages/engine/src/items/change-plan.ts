import { itemSizeBytes, limits, ServiceError } from '@hashrange/core'
import { noIndexWrites, type IndexWrite } from '../capacity/capacity.ts'
import { addUnits, indexUnits, tableUnits, writeUnits, type Units } from '../capacity/units.ts'
import type { Table } from '../catalog/table.ts'
import type { CutDefinition, IndexDefinition, TimeToLiveDefinition } from '../definitions/table-definition.ts'
import { shardOf, type ChangeLog, type OpenShard } from '../changes/change-log.ts'
import { encodeChangeRecord, followedChangeRecord, jsonOf } from '../changes/change-record.ts'
import { keptItemKey, noItem } from '../cuts/kept-item.ts'
import { expirySecondsOf, expiryWrite } from '../expiry/expiry.ts'
import { entryAt, indexEntryOf, sameEntry, type IndexEntry } from './index-entry.ts'
import { IndexKeys, type KeysInIndex } from './index-keys.ts'
import { collectionKey, keyHeaderBytes } from '../layout/item-keys.ts'
import { keyText } from '../store/key-text.ts'
import { countsKey, itemExpiryKey, uint32At } from '../layout/key-space.ts'
import { decodeCounters, encodeCounters } from '../store/counters.ts'
import type { Effect } from '../store/effect.ts'
import type { Key, Value, Write } from '../store/store.ts'
import type { ItemStamp } from '../stamps/item-stamp.ts'
import type { Moment } from '../time/store-clock.ts'
import { keyOfItem } from './check-schema.ts'
import { keyAttributesOf, UnreadKeys } from './key-attributes.ts'
import { KeyChange, type KeyWrite } from './key-change.ts'
import type { FoundStamp } from './keys-of-change.ts'
import { sameItem, sameStored } from './same-item.ts'
import { stampedChange, strongStampWrite } from './stamp-writes.ts'
import { billedBytes, vectorCharges } from './vector-entry.ts'
import { StoredItem } from './stored-item.ts'

/** One item before and after. If `next` is `previous`, nothing changes, but it is still charged. */
export interface ItemChange {
  readonly table: Table
  readonly key: Key
  readonly previous: StoredItem | undefined
  readonly next: StoredItem | undefined
  /** In a replica of a global table: what is known about the item's writes so far. */
  readonly stamp?: FoundStamp | undefined
  /** The same, if it was decoded already. */
  readonly stampBefore?: ItemStamp | undefined
  /** If the change was made in another region: which write it is. */
  readonly replicated?: ItemStamp
  /** Whether that stamp is in `next` already. */
  readonly isStamped?: boolean
  /** What that region has in its change log about it, if it is known. */
  readonly record?: Value | undefined
  /** The keys of that change in the indexes of that region, if they are known. */
  readonly indexKeys?: IndexKeys | undefined
  /** In a strongly consistent global table: which write it is, in all replicas. */
  readonly strong?: ItemStamp
}

/** When a change is made, and whether the database itself makes it because the item has expired. */
export interface ChangeCause {
  readonly at: Moment
  readonly expired: boolean
  /** Whether the change is logged, if the table has a log; it is unless told. */
  readonly isLogged?: boolean
}

export interface ChangeOutcome {
  readonly units: Units
  /** The writes to global indexes, each of which has its own capacity. */
  readonly indexWrites: readonly IndexWrite[]
  /** The size of the item's collection afterwards, on tables that limit it. */
  readonly collectionBytes?: number
}

/** Collects everything that must be written for some changes of items, so that it is written together: the items,
 *  their index entries, the sizes of collections, and the counts. */
export class ChangePlan {
  readonly writes: Write[] = []
  readonly #cause: ChangeCause
  /** Sizes of item collections, by key: two changes in one plan may concern the same collection. */
  readonly #collections = new Map<string, number>()
  #logged: LoggedChange[] | undefined
  #compared: { readonly change: ItemChange; readonly isChanged: boolean } | undefined
  /** Where other replicas are told the keys in indexes of the change that is being added. */
  #keysToTell: IndexKeys | undefined
  /** The keys in indexes of the same change in another replica. */
  #keysToFollow: IndexKeys | undefined

  constructor(cause: ChangeCause) {
    this.#cause = cause
  }

  add(change: ItemChange, collection: Value | undefined): ChangeOutcome {
    const { table, key, previous, next } = change
    this.#keysToTell = undefined
    this.#keysToFollow = undefined
    const value = table.definition.replication === undefined ? next?.plainValue : this.#stamp(change)
    if (next !== previous) {
      this.#write(change, table.id, key, previous, value)
      if (table.definition.cuts !== undefined) this.#keep(table.definition.cuts, key, previous)
    }
    let units = unitsOfItem(change)
    this.#count(table.id, previous, next)
    if (table.changeLog !== undefined) this.#record(change, table.changeLog)

    const { globalIndexes, localIndexes, timeToLive } = table.definition
    if (timeToLive !== undefined) this.#changeExpiry(change, timeToLive)
    let indexWrites = noIndexWrites
    for (const index of globalIndexes) {
      if (index.status === 'DELETING') continue
      const changed = this.#changeIndex(change, index)
      units = addUnits(units, changed.units)
      if (changed.writes.length > 0) indexWrites = [...indexWrites, ...changed.writes]
    }
    if (localIndexes.length === 0) return { units, indexWrites }

    let collectionDeltaBytes = (next?.sizeBytes ?? 0) - (previous?.sizeBytes ?? 0)
    for (const index of localIndexes) {
      const changed = this.#changeIndex(change, index)
      units = addUnits(units, changed.units)
      collectionDeltaBytes += changed.deltaBytes
    }
    const isLimited = change.replicated === undefined
    const collectionBytes = this.#resizeCollection(key, collection, collectionDeltaBytes, isLimited)
    return { units, indexWrites, collectionBytes }
  }

  /** Side effects of the changes: they heat the shards of the change log to which they are written. */
  get effect(): Effect | undefined {
    const logged = this.#logged
    if (logged === undefined) return undefined
    return {
      apply: () => {
        for (const { shard, hash, sizeBytes } of logged) shard.heat.count(hash, sizeBytes)
      },
      undo: () => {
        for (const { shard, hash, sizeBytes } of logged) shard.heat.uncount(hash, sizeBytes)
      },
    }
  }

  /** Writes one of an item's keys: its own, or that of an index entry. */
  #write(
    { key: itemKey }: ItemChange,
    placeId: number,
    key: Key,
    before: StoredItem | undefined,
    value: Value | undefined,
  ): void {
    const change = new KeyChange(itemKey, placeId, before)
    const write: KeyWrite =
      value === undefined ? { kind: 'delete', key, change } : { kind: 'put', key, value, change }
    this.writes.push(write)
  }

  /** Writes what a replica must remember of a change, and returns the item as it is stored, which has the stamp in it. A
   *  write that changes nothing is not stamped: it is not sent to other replicas either. */
  #stamp(change: ItemChange): Value | undefined {
    const { table, replicated, strong, next, stamp } = change
    const { replication } = table.definition
    if (replication === undefined) return next?.plainValue
    if (!this.#changesItem(change) && replicated === undefined) {
      return stamp === undefined || stamp.isApart
        ? next?.plainValue
        : next?.stampedValue(replication.stampsId, stamp.value)
    }
    if (strong !== undefined) {
      this.writes.push(strongStampWrite(replication.stampsId, change.key, next === undefined ? undefined : strong))
      return next?.plainValue
    }
    const stamped = stampedChange(change, replication.stampsId, this.#cause.at)
    this.writes.push(...stamped.writes)
    return stamped.value
  }

  /** The first change of an item after a cut keeps what it was. */
  #keep(cuts: readonly CutDefinition[], key: Key, previous: StoredItem | undefined): void {
    for (const { id, kind } of cuts) {
      if (kind === 'log') continue
      this.writes.push({ kind: 'insert', key: keptItemKey(id, key), value: previous?.value ?? noItem })
    }
  }

  /** A write that changes nothing is not a change: it is not logged, and so not sent to other replicas. */
  #record(change: ItemChange, log: ChangeLog): void {
    if (this.#cause.isLogged !== false && this.#changesItem(change)) this.#log(change, log)
  }

  /** Decided once for each change: its indexes and its log ask the same. */
  #changesItem(change: ItemChange): boolean {
    if (this.#compared?.change !== change) {
      const { previous, next, replicated } = change
      // A region does not send what changes nothing, so what it sends need only be compared byte by byte.
      const isSame = (one: StoredItem, other: StoredItem): boolean =>
        replicated === undefined ? sameItem(one, other) : sameStored(one.value, other.value)
      const isChanged = previous !== next && !(previous && next && isSame(previous, next))
      this.#compared = { change, isChanged }
    }
    return this.#compared.isChanged
  }

  #log(change: ItemChange, log: ChangeLog): void {
    const { table, key, previous, next } = change
    const stored = next ?? previous
    if (stored === undefined) return
    const { at } = this.#cause
    const hash = uint32At(key, keyHeaderBytes)
    const followed = this.#followedRecord(change, log)
    // What they say is true of the two items in the record.
    if (followed !== undefined) this.#keysToFollow = change.indexKeys
    if (isFollowedByOthers(change)) this.#keysToTell = new IndexKeys(table.definition)
    const record = followed ?? this.#ownRecord(change, stored, log)
    const shard = shardOf(log.openShards, hash)
    this.#logged ??= []
    this.#logged.push({ shard, hash, sizeBytes: record.length })
    this.writes.push({ kind: 'append', log: shard.log, atMs: at.steadyMs, value: record, about: this.#keysToTell })
  }

  /** Mostly, what was replaced is the same as in the region where the change was made. Then its record can be copied. */
  #followedRecord({ record, previous, next }: ItemChange, log: ChangeLog): Value | undefined {
    if (record === undefined || next === undefined || !log.keepsOld || !log.keepsNew) return undefined
    return followedChangeRecord(record, previous?.json, next.json, this.#cause.at.nowMs)
  }

  #ownRecord({ table, previous, next, replicated }: ItemChange, stored: StoredItem, log: ChangeLog): Value {
    const { at, expired } = this.#cause
    const keys = keyOfItem(table.keySchema, keyAttributesOf(table.definition, stored))
    return encodeChangeRecord({
      event: previous === undefined ? 'INSERT' : next === undefined ? 'REMOVE' : 'MODIFY',
      expired,
      replicated: replicated !== undefined,
      atMs: at.nowMs,
      keys: jsonOf(keys),
      oldImage: log.keepsOld ? previous?.json : undefined,
      newImage: log.keepsNew ? next?.json : undefined,
      keysSizeBytes: itemSizeBytes(keys),
      oldSizeBytes: log.keepsOld ? (previous?.sizeBytes ?? 0) : 0,
      newSizeBytes: log.keepsNew ? (next?.sizeBytes ?? 0) : 0,
    })
  }

  #changeExpiry(
    { table, key, previous, next }: ItemChange,
    { attributeName, expiryIndexId }: TimeToLiveDefinition,
  ): void {
    if (previous === next) return
    const before = previous && expirySecondsOf(keyAttributesOf(table.definition, previous), attributeName)
    const after = next && expirySecondsOf(keyAttributesOf(table.definition, next), attributeName)
    if (before === after) return
    if (before !== undefined) this.writes.push({ kind: 'delete', key: itemExpiryKey(expiryIndexId, before, key) })
    if (after !== undefined) this.writes.push(expiryWrite(expiryIndexId, after, key))
  }

  #changeIndex(change: ItemChange, index: IndexDefinition): ChangedIndex {
    const { table, previous, next } = change
    const { definition } = table
    // A local index is stored beside its table's items, and becomes visible with them.
    const placeId = index.kind === 'global' ? index.indexId : table.id
    const known = this.#keysToFollow?.in(definition, index)
    const [before, after] = known === undefined ? entriesOf(change, index) : entriesAt(change, known)
    this.#keysToTell?.add(index, before?.key, after?.key)
    if (before === undefined && after === undefined) return unchangedIndex
    if (previous && next && before && after && sameKey(before, after)) {
      if (!this.#changesItem(change) || sameEntry(definition, index, previous, next)) {
        return unchangedIndex
      }
      this.#write(change, placeId, after.key, before.stored, after.stored.plainValue)
      this.#count(index.indexId, before.stored, after.stored)
      const changeUnits = writeUnits(Math.max(before.stored.sizeBytes, after.stored.sizeBytes))
      return {
        units: indexUnits(index.kind, index.indexName, changeUnits),
        writes: [{ index, key: after.key, units: changeUnits, owner: new UnreadKeys(definition, next) }],
        deltaBytes: after.stored.sizeBytes - before.stored.sizeBytes,
      }
    }
    if (before) this.#write(change, placeId, before.key, before.stored, undefined)
    if (after) this.#write(change, placeId, after.key, undefined, after.stored.plainValue)
    this.#count(index.indexId, before?.stored, after?.stored)
    const writes: IndexWrite[] = []
    const write = (entry: IndexEntry, owner: StoredItem): void => {
      const { key: entryKey, stored } = entry
      writes.push({
        index,
        key: entryKey,
        units: writeUnits(stored.sizeBytes),
        owner: new UnreadKeys(definition, owner),
      })
    }
    if (previous && before) write(before, previous)
    if (next && after) write(after, next)
    return {
      units: indexUnits(
        index.kind,
        index.indexName,
        writes.reduce((sum, { units }) => sum + units, 0),
      ),
      writes,
      deltaBytes: (after?.stored.sizeBytes ?? 0) - (before?.stored.sizeBytes ?? 0),
    }
  }

  #count(id: number, before: StoredItem | undefined, after: StoredItem | undefined): void {
    const items = (after ? 1 : 0) - (before ? 1 : 0)
    const bytes = (after?.sizeBytes ?? 0) - (before?.sizeBytes ?? 0)
    if (items !== 0 || bytes !== 0) this.writes.push({ kind: 'add', key: countsKey(id), amounts: [items, bytes] })
  }

  /** What another region has accepted is not refused here, or the replicas would differ for good. */
  #resizeCollection(key: Key, collection: Value | undefined, deltaBytes: number, isLimited: boolean): number {
    const sizeKey = collectionKey(key)
    const name = keyText(sizeKey)
    const before = this.#collections.get(name) ?? decodeCounters(collection)[0] ?? 0
    const after = before + deltaBytes
    if (isLimited && deltaBytes > 0 && after > limits.itemCollectionBytes) {
      throw new ServiceError('ItemCollectionSizeLimitExceededException', 'Collection size exceeded.')
    }
    if (deltaBytes !== 0) {
      this.#collections.set(name, after)
      this.writes.push(
        after === 0
          ? { kind: 'delete', key: sizeKey }
          : { kind: 'put', key: sizeKey, value: encodeCounters([after]) },
      )
    }
    return after
  }
}

/** What a change of an item costs, without its secondary indexes. */
function unitsOfItem({ table: { definition }, previous, next }: ItemChange): Units {
  if (definition.vectorIndexes === undefined) {
    return tableUnits(writeUnits(Math.max(previous?.sizeBytes ?? 0, next?.sizeBytes ?? 0)))
  }
  const bytes = Math.max(billedBytes(definition, previous), billedBytes(definition, next))
  return tableUnits(writeUnits(bytes), vectorCharges(definition, previous, next))
}

/** A record in the change log. */
interface LoggedChange {
  readonly shard: OpenShard
  readonly hash: number
  readonly sizeBytes: number
}

interface ChangedIndex {
  readonly units: Units
  readonly writes: readonly IndexWrite[]
  readonly deltaBytes: number
}

const unchangedIndex: ChangedIndex = { units: tableUnits(0), writes: noIndexWrites, deltaBytes: 0 }

/** What was written in this region is passed to other replicas. */
function isFollowedByOthers({ table: { definition }, replicated, strong }: ItemChange): boolean {
  return definition.replication !== undefined && replicated === undefined && strong === undefined
}

type Entries = readonly [before: IndexEntry | undefined, after: IndexEntry | undefined]

function entriesOf({ table: { definition }, key, previous, next }: ItemChange, index: IndexDefinition): Entries {
  const before = previous && indexEntryOf(definition, index, key, previous)
  const after = next && indexEntryOf(definition, index, key, next, previous && { stored: previous, entry: before })
  return [before, after]
}

function entriesAt({ table: { definition }, previous, next }: ItemChange, known: KeysInIndex): Entries {
  const { index, before, after } = known
  return [
    previous && before && entryAt(definition, index, before, previous),
    next && after && entryAt(definition, index, after, next),
  ]
}

export function storedOf(value: Value | undefined): StoredItem | undefined {
  return value === undefined ? undefined : new StoredItem(value)
}

function sameKey(before: IndexEntry, after: IndexEntry): boolean {
  return before.key === after.key || Buffer.compare(before.key, after.key) === 0
}
