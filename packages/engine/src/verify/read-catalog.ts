import { isRecord } from '../api/is-record.ts'
import { backupArn, type BackupDefinition } from '../backups/backup-definition.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { keyOfDefinition } from '../catalog/stored-definition.ts'
import {
  backupKey,
  backupRange,
  catalogRange,
  droppedTableKey,
  droppedTableRange,
  nextIdKey,
  purgeRange,
} from '../layout/key-space.ts'
import { decodeCounters } from '../store/counters.ts'
import type { Key, MaybePromise, Range, Snapshot, Value } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import { definitionProblems, isIdentifier } from './check-definition.ts'
import type { Fault, FindingKind, FaultPlace } from './finding.ts'
import { inTurn } from './in-turn.ts'
import { placeOfKey, placeOfTable } from './place.ts'
import { messageOf } from './read-stored-item.ts'

/** What one snapshot says about tables and backups. What cannot be read is among the faults, and not here. */
export interface ReadCatalog {
  readonly tables: readonly TableDefinition[]
  /** Deleted tables whose change log is kept. */
  readonly dropped: readonly TableDefinition[]
  readonly backups: readonly BackupDefinition[]
  /** Identifiers whose entries must all be removed. */
  readonly purges: ReadonlyMap<number, string>
  readonly nextId: number
  readonly faults: readonly Fault[]
}

export function readCatalog(snapshot: Snapshot): MaybePromise<ReadCatalog> {
  const faults: Fault[] = []
  const tables: TableDefinition[] = []
  const dropped: TableDefinition[] = []
  const backups: BackupDefinition[] = []
  const purges = new Map<number, string>()
  const visitTable = (key: Key, value: Value): void => {
    const definition = readDefinition(faults, key, value)
    if (definition !== undefined && isAt(faults, key, keyOfDefinition(definition), 'definition'))
      tables.push(definition)
  }
  const visitDropped = (key: Key, value: Value): void => {
    const definition = readDefinition(faults, key, value)
    if (definition !== undefined && isAt(faults, key, droppedTableKey(definition.tableId), 'definition')) {
      dropped.push(definition)
    }
  }
  const visitBackup = (key: Key, value: Value): void => {
    const backup = readBackup(faults, key, value)
    if (backup === undefined) return
    const { accountId, region, tableName } = backup.table
    if (isAt(faults, key, backupKey(accountId, region, tableName, backup.backupId), 'backup')) backups.push(backup)
  }
  const visitPurge = (key: Key, value: Value): void => {
    const id = key.length === 5 ? Buffer.from(key).readUInt32BE(1) : 0
    const kind = value.toString('utf8')
    if (id === 0 || (kind !== 'table' && kind !== 'index')) {
      faults.push(faultAt('record', key, 'The record of entries that must still be removed names nothing.'))
    } else purges.set(id, kind)
  }
  return inTurn(
    [
      () => each(snapshot, catalogRange(), visitTable),
      () => each(snapshot, droppedTableRange(), visitDropped),
      () => each(snapshot, backupRange(), visitBackup),
      () => each(snapshot, purgeRange(), visitPurge),
    ],
    () =>
      whenThere(snapshot.get(nextIdKey()), (value) => {
        const [nextId = 1] = decodeCounters(value)
        const catalog = { tables, dropped, backups, purges, nextId, faults }
        faults.push(...identifierFaults(catalog))
        return catalog
      }),
  )
}

/** What an identifier refers to. Identifiers are never reused. */
export interface Owner {
  readonly id: number
  readonly of: 'table' | 'index' | 'expiries' | 'stamps' | 'kept items' | 'undo' | 'log'
  readonly place: FaultPlace
}

export function ownersIn({ tables, dropped, backups }: Omit<ReadCatalog, 'faults'>): readonly Owner[] {
  return [
    ...tables.flatMap(ownersOfTable),
    ...[...tables, ...dropped].flatMap(ownersOfCuts),
    ...dropped.map(ownerOfLog),
    ...backups.map(ownerOfBackup),
  ]
}

/** What restores, exports and new indexes read. What is kept for a backup belongs to it. */
function ownersOfCuts(definition: TableDefinition): readonly Owner[] {
  const { cuts = [] } = definition
  return cuts
    .filter(({ kind }) => kind !== 'backup')
    .map(({ id }) => ({ id, of: 'undo', place: placeOfTable(definition) }))
}

function ownerOfLog(definition: TableDefinition): Owner {
  return { id: definition.tableId, of: 'log', place: placeOfTable(definition) }
}

function ownersOfTable(definition: TableDefinition): readonly Owner[] {
  const { localIndexes, globalIndexes, timeToLive, replication } = definition
  const place = placeOfTable(definition)
  const owners: Owner[] = [{ id: definition.tableId, of: 'table', place }]
  for (const { indexId, indexName } of [...localIndexes, ...globalIndexes]) {
    owners.push({ id: indexId, of: 'index', place: { ...place, index: indexName } })
  }
  if (timeToLive !== undefined) owners.push({ id: timeToLive.expiryIndexId, of: 'expiries', place })
  if (replication !== undefined) owners.push({ id: replication.stampsId, of: 'stamps', place })
  return owners
}

function ownerOfBackup(backup: BackupDefinition): Owner {
  const { items, table } = backup
  const place = { ...placeOfTable(table), backup: backupArn(backup) }
  return { id: items.id, of: items.kind === 'kept' ? 'kept items' : 'table', place }
}

function identifierFaults(catalog: Omit<ReadCatalog, 'faults'>): readonly Fault[] {
  const faults: Fault[] = []
  if (!isIdentifier(catalog.nextId)) {
    faults.push({ kind: 'identifier', place: {}, problem: 'The next identifier to be assigned is not a number.' })
  }
  const seen = new Map<number, Owner>()
  for (const owner of ownersIn(catalog)) {
    const { id, place } = owner
    const other = seen.get(id)
    seen.set(id, owner)
    if (other !== undefined && !mayBeShared(owner, other)) {
      faults.push({ kind: 'identifier', place, problem: `The identifier ${id} is used twice.` })
    }
    if (id >= catalog.nextId) {
      const problem = `The identifier ${id} is in use and would be assigned again: the next one is ${catalog.nextId}.`
      faults.push({ kind: 'identifier', place, problem })
    }
    if (catalog.purges.has(id) && owner.of !== 'log') {
      faults.push({
        kind: 'identifier',
        place,
        problem: `What is stored under its identifier ${id} is marked for removal.`,
      })
    }
  }
  return faults
}

/** A deleted table can leave both its log and a backup; undo entries are named by the restored table, and by the
 *  table whose past is read. */
function mayBeShared(one: Owner, other: Owner): boolean {
  return one.of === 'log' || other.of === 'log' || (one.of === 'undo' && other.of === 'undo')
}

function readDefinition(faults: Fault[], key: Key, value: Value): TableDefinition | undefined {
  const raw = readJson(faults, 'definition', key, value)
  if (raw === undefined) return undefined
  const problems = definitionProblems(raw)
  for (const problem of problems)
    faults.push(faultAt('definition', key, `The table's definition is damaged. ${problem}`))
  return problems.length === 0 ? (raw as TableDefinition) : undefined
}

function readBackup(faults: Fault[], key: Key, value: Value): BackupDefinition | undefined {
  const raw = readJson(faults, 'backup', key, value)
  if (raw === undefined) return undefined
  const problems = isRecord(raw) ? backupProblems(raw) : ['It is not a JSON object.']
  for (const problem of problems)
    faults.push(faultAt('backup', key, `The backup's description is damaged. ${problem}`))
  return problems.length === 0 ? (raw as BackupDefinition) : undefined
}

function backupProblems(raw: Readonly<Record<string, unknown>>): readonly string[] {
  const { items, status, backupId, itemCount, sizeBytes } = raw
  const isKnown = status === 'CREATING' || status === 'AVAILABLE'
  if (!isKnown || typeof backupId !== 'string') return ['Its status is unknown, or it has no identifier.']
  if (typeof itemCount !== 'number' || typeof sizeBytes !== 'number') return ['It does not say how much it holds.']
  const isPlaced = isRecord(items) && (items['kind'] === 'kept' || items['kind'] === 'dropped-table')
  if (!isPlaced || !isIdentifier(items['id'])) return ['It does not say where its items are.']
  return definitionProblems(raw['table'])
}

function readJson(faults: Fault[], kind: FindingKind, key: Key, value: Value): unknown {
  try {
    return JSON.parse(value.toString('utf8'))
  } catch (error) {
    faults.push(faultAt(kind, key, `It cannot be read (${messageOf(error)}).`))
    return undefined
  }
}

function isAt(faults: Fault[], key: Key, expected: Key, kind: FindingKind): boolean {
  if (Buffer.compare(key, expected) === 0) return true
  faults.push(faultAt(kind, key, 'It is stored under a key that is not its own.'))
  return false
}

function faultAt(kind: FindingKind, key: Key, problem: string): Fault {
  return { kind, place: { ...placeOfKey(key), ...namesIn(key) }, problem }
}

/** The owner of a table: the keys of tables and backups begin with it. */
function namesIn(key: Key): FaultPlace {
  const [accountId, region, table] = Buffer.from(key.subarray(1)).toString('utf8').split('\0')
  return accountId === undefined || region === undefined || table === undefined ? {} : { accountId, region, table }
}

function each(snapshot: Snapshot, range: Range, visit: (key: Key, value: Value) => void): MaybePromise<void> {
  return snapshot.range(range, (key, value) => {
    visit(key, value)
    return true
  })
}
