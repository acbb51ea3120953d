import type { Item } from '@hashrange/core'
import { definitionsIn } from '../catalog/read-catalog.ts'
import { BranchSnapshot } from '../branches/branch-snapshot.ts'
import type { BranchDefinition } from '../branches/branch-definition.ts'
import { readBranchValue } from '../branches/branch-value.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { keyOfItem } from '../items/check-schema.ts'
import { StoredItem } from '../items/stored-item.ts'
import { branchEntryKey, keyInBranch } from '../layout/branch-keys.ts'
import { branchLayout } from '../layout/branch-layout.ts'
import { following } from '../layout/key-bounds.ts'
import { catalogRange, idOfTableVersionKey, keySpace } from '../layout/key-space.ts'
import type { Key, Snapshot, Store, Value } from '../store/store.ts'

/** A difference between a branch and the data: of a table, or of an item if it has a key. */
export interface BranchChange {
  readonly table: string
  readonly accountId: string
  readonly region: string
  readonly change: 'created' | 'changed' | 'deleted'
  readonly key?: Item
  readonly before?: Item
  readonly after?: Item
}

export interface BranchChanges {
  readonly changes: readonly BranchChange[]
  /** Where to go on; absent at the end. */
  readonly next?: string
}

/** What a branch has changed, compared with the data as it is now; or what has changed in the data since a snapshot. Tables
 *  come first, then items, some at a time: `from` is the `next` of the last part. Items of tables that only one side has
 *  are not listed. */
export async function branchChanges(
  store: Store,
  branch: BranchDefinition,
  from?: string,
  limit = 1_000,
): Promise<BranchChanges> {
  return store.view(async (snapshot) => {
    const definitions = await bothCatalogs(snapshot, branch)
    const [before, after] = definitions
    const ofTables = from === undefined ? tableChanges(before, after) : []
    const start = from === undefined ? Buffer.of(keySpace.item) : Buffer.from(from, 'base64url')
    const page = await changedEntries(snapshot, branch, start, limit)
    const now = await snapshot.getMany(page.entries.map(({ key }) => key))
    const changes = page.entries.flatMap(({ key, value }, index): BranchChange | readonly [] => {
      const table = after.get(idOfTableVersionKey(key))
      if (table === undefined || !before.has(table.tableId)) return []
      const isSnapshot = branch.kind === 'snapshot'
      return itemChange(table, isSnapshot ? value : now[index], isSnapshot ? now[index] : value)
    })
    return {
      changes: [...ofTables, ...changes],
      ...(page.next !== undefined && { next: Buffer.from(page.next).toString('base64url') }),
    }
  })
}

type Definitions = ReadonlyMap<number, TableDefinition>

/** The tables before and after what is looked at. */
async function bothCatalogs(
  snapshot: Snapshot,
  branch: BranchDefinition,
): Promise<readonly [Definitions, Definitions]> {
  const ofData = byId(await definitionsIn(snapshot, catalogRange()))
  const inBranch = new BranchSnapshot(branchLayout, { id: branch.id, cut: undefined }, snapshot)
  const ofBranch = byId(await definitionsIn(inBranch, catalogRange()))
  return branch.kind === 'snapshot' ? [ofBranch, ofData] : [ofData, ofBranch]
}

function byId(definitions: readonly TableDefinition[]): Definitions {
  return new Map(definitions.map((definition) => [definition.tableId, definition]))
}

/** Tables that were deleted and created again under the same name are both. */
function tableChanges(before: Definitions, after: Definitions): readonly BranchChange[] {
  const of = (
    { tableName: table, accountId, region }: TableDefinition,
    change: BranchChange['change'],
  ): BranchChange => ({
    table,
    accountId,
    region,
    change,
  })
  const changes: BranchChange[] = []
  for (const definition of before.values()) {
    if (!after.has(definition.tableId)) changes.push(of(definition, 'deleted'))
  }
  for (const definition of after.values()) {
    const was = before.get(definition.tableId)
    if (was === undefined) changes.push(of(definition, 'created'))
    else if (settingsOf(was) !== settingsOf(definition)) changes.push(of(definition, 'changed'))
  }
  return changes
}

/** Without what changes by itself. */
function settingsOf(definition: TableDefinition): string {
  const { version: _version, shards: _shards, cuts: _cuts, ...settings } = definition
  return JSON.stringify(settings)
}

interface ChangedEntry {
  readonly key: Key
  readonly value: Value | undefined
}

/** The items that a branch has written, or that it has kept because the data has changed. */
async function changedEntries(
  snapshot: Snapshot,
  { id, kind }: BranchDefinition,
  from: Key,
  limit: number,
): Promise<{ readonly entries: readonly ChangedEntry[]; readonly next?: Key }> {
  const entries: ChangedEntry[] = []
  let last: Key | undefined
  let bytes = 0
  const range = { from: branchEntryKey(id, from), to: branchEntryKey(id, Buffer.of(keySpace.item + 1)) }
  await snapshot.range(range, (key, stored) => {
    const { value, isWritten } = readBranchValue(stored)
    const inner = keyInBranch(key)
    if (kind === 'snapshot' || isWritten) entries.push({ key: inner, value })
    bytes += stored.length
    if (entries.length < limit && bytes < pageBytes) return true
    last = inner
    return false
  })
  return { entries, ...(last !== undefined && { next: following(last) }) }
}

const pageBytes = 8 * 2 ** 20

function itemChange(
  table: TableDefinition,
  before: Value | undefined,
  after: Value | undefined,
): BranchChange | readonly [] {
  if (before === undefined && after === undefined) return []
  if (before !== undefined && after?.equals(before) === true) return []
  const was = before && new StoredItem(before).item
  const is = after && new StoredItem(after).item
  return {
    table: table.tableName,
    accountId: table.accountId,
    region: table.region,
    change: was === undefined ? 'created' : is === undefined ? 'deleted' : 'changed',
    key: keyOfItem(table.keySchema, is ?? was ?? {}),
    ...(was !== undefined && { before: was }),
    ...(is !== undefined && { after: is }),
  }
}
