import { copyMarkKey, formatKey, keySpace, lastSequenceKey, nextIdKey } from '../layout/key-space.ts'
import { decodeSequence } from '../store/sequence.ts'
import type { Key, MaybePromise, Snapshot } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import { branchSpaces, checkBranches } from './check-branches.ts'
import type { Fault } from './finding.ts'
import { firstKey } from './first-key.ts'
import { plainSpaces, spacesWithIds } from './key-spaces.ts'
import { placeOfKey } from './place.ts'
import { ownersIn, readCatalog, type Owner, type ReadCatalog } from './read-catalog.ts'
import type { Verification } from './verification.ts'

/** Checks what belongs to no table: records of services, unknown keys, and entries whose table or index does not
 *  exist. */
export async function checkSpaces(run: Verification): Promise<void> {
  for (const [space, problemOf] of plainSpaces) {
    await run.eachPage(rangeOf(space), (_snapshot, page) =>
      page.flatMap(({ key, value }): Fault | readonly [] => {
        const problem = problemOf(key, value)
        return problem === undefined
          ? []
          : {
              kind: 'record',
              place: placeOfKey(key),
              problem: `A record of the space 0x${hex(space)} is damaged. ${problem}`,
            }
      }),
    )
  }
  await checkLastSequence(run)
  await checkUnknownKeys(run)
  await checkBranches(run)
  const owners = new Owners()
  for (const space of spacesWithIds) await checkIds(run, owners, space)
}

/** New log entries must come after all existing ones. A store that numbers each log separately keeps no such number. */
async function checkLastSequence(run: Verification): Promise<void> {
  const value = await run.store.view((snapshot) => snapshot.get(lastSequenceKey))
  if (value === undefined) return
  if (value.length !== 8 || decodeSequence(value) < run.lastSequence) {
    const problem = 'The last sequence number that was assigned is lower than one that is in use.'
    await run.report([{ kind: 'change-log', place: placeOfKey(lastSequenceKey), problem }])
  }
}

/** Spaces that are checked as a whole or with their tables. */
const otherSpaces = [
  keySpace.catalog,
  keySpace.purge,
  keySpace.droppedTable,
  keySpace.tableVersion,
  keySpace.token,
  keySpace.tokenExpiry,
  keySpace.backup,
  keySpace.branchList,
  ...branchSpaces,
]
const knownSpaces: ReadonlySet<number> = new Set([...otherSpaces, ...plainSpaces.keys(), ...spacesWithIds])
/** Spaces with one key, which is the space's byte. */
const onlyKeys = [lastSequenceKey, formatKey(), nextIdKey(), copyMarkKey()]

/** Goes from one such space to the next: one step for each, and for each gap between known ones. */
async function checkUnknownKeys(run: Verification): Promise<void> {
  let space = 0
  while (space <= 0xff) {
    if (knownSpaces.has(space)) {
      space++
      continue
    }
    let end = space + 1
    while (end <= 0xff && !knownSpaces.has(end) && !isOnlyKey(end)) end++
    // One key of such a space is known, and comes first in it.
    const from = isOnlyKey(space) ? Buffer.of(space, 0) : Buffer.of(space)
    const key = await run.store.view((snapshot) => firstKey(snapshot, from, rangeOf(end - 1).to))
    if (key !== undefined) {
      const problem = `There are entries in the space 0x${hex(key[0] ?? 0)}, which nothing in this version writes.`
      await run.report([{ kind: 'unknown-key', place: placeOfKey(key), problem }])
    }
    space = key === undefined ? end : (key[0] ?? 0) + 1
  }
}

function isOnlyKey(space: number): boolean {
  return onlyKeys.some(([byte]) => byte === space)
}

/** Which identifiers may occur in a space. */
const ownersBySpace: Readonly<Record<SpaceWithIds, readonly Owner['of'][]>> = {
  [keySpace.progress]: ['table', 'index', 'undo'],
  [keySpace.item]: ['table'],
  [keySpace.indexEntry]: ['index'],
  [keySpace.collection]: ['table'],
  [keySpace.counts]: ['table', 'index'],
  [keySpace.itemExpiry]: ['expiries'],
  [keySpace.itemStamp]: ['stamps'],
  [keySpace.tombstone]: ['stamps'],
  [keySpace.replicationCursor]: ['table'],
  [keySpace.conflict]: ['stamps'],
  [keySpace.missedWrite]: ['stamps'],
  [keySpace.changeLog]: ['table', 'log'],
  [keySpace.keptItem]: ['kept items', 'undo'],
  [keySpace.partitionModel]: ['table', 'index'],
}

/** Goes from one identifier to the next: one step for each. */
async function checkIds(run: Verification, owners: Owners, space: SpaceWithIds): Promise<void> {
  let { from } = rangeOf(space)
  const { to } = rangeOf(space)
  for (;;) {
    const start = from
    const found = await run.store.view((snapshot) =>
      whenThere(
        firstKey(snapshot, start, to),
        (key) => key && whenThere(owners.own(snapshot, space, key), (isOwned) => ({ key, isOwned })),
      ),
    )
    if (found === undefined || run.stopping.aborted) return
    const { key, isOwned } = found
    if (!isOwned) {
      const problem = `There are entries in the space 0x${hex(space)} whose table, index or backup does not exist.`
      await run.report([{ kind: 'leftover', place: placeOfKey(key), problem }])
    }
    const next = nextId(key)
    if (next === undefined) return
    from = next
  }
}

type SpaceWithIds = (typeof spacesWithIds)[number]

/** Who owns the identifiers. An unknown one may be new: then it is looked up in the same snapshot. */
class Owners {
  #known: ReadCatalog | undefined

  own(snapshot: Snapshot, space: SpaceWithIds, key: Key): MaybePromise<boolean> {
    if (key.length < 5) return false
    if (this.#known !== undefined && isOwned(this.#known, space, idOf(key))) return true
    return whenThere(readCatalog(snapshot), (catalog) => {
      this.#known = catalog
      return isOwned(catalog, space, idOf(key))
    })
  }
}

function isOwned(catalog: ReadCatalog, space: SpaceWithIds, id: number): boolean {
  if (catalog.purges.has(id)) return true
  const owners = ownersBySpace[space]
  return ownersIn(catalog).some((owner) => owner.id === id && owners.includes(owner.of))
}

function idOf(key: Key): number {
  return Buffer.from(key).readUInt32BE(1)
}

/** Where the entries of the next identifier begin. */
function nextId(key: Key): Buffer | undefined {
  const bytes = Buffer.alloc(5)
  bytes.set(key.subarray(0, 5))
  const id = bytes.readUInt32BE(1)
  if (id === 2 ** 32 - 1) return undefined
  bytes.writeUInt32BE(id + 1, 1)
  return bytes
}

function rangeOf(space: number): { readonly from: Buffer; readonly to: Buffer } {
  return { from: Buffer.of(space), to: space === 0xff ? Buffer.alloc(64, 0xff) : Buffer.of(space + 1) }
}

function hex(space: number): string {
  return space.toString(16).padStart(2, '0')
}
