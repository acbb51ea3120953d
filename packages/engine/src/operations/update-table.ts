import { indexWork } from '../background/unfinished-work.ts'
import type { UpdateTableInput } from '../api/table-inputs.ts'
import { grownDefinition } from '../capacity/grown-definition.ts'
import type { Table } from '../catalog/table.ts'
import type { EngineParts } from './engine-parts.ts'
import { changeReplicas, checkReplicaUpdates } from '../replication/change-replicas.ts'
import { membersInStep, scopeOf } from '../replication/members.ts'
import { asChanged, synchronised } from '../replication/synchronised-settings.ts'
import {
  assertAllReached,
  createStrongGlobalTable,
  deleteStrongGlobalTable,
  existingGlobalTable,
  type StrongUpdate,
} from '../replication/strong-global-table.ts'
import { changesReplicas, readStrongUpdate, witnessOfEventual } from '../replication/read-strong-update.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { readTableName } from '../tables/read-table-name.ts'
import { strongly } from '../strong/strong-replicas.ts'
import type { Scope } from '../scope.ts'
import { changeTableDefinition, type TableChange } from '../tables/change-table-definition.ts'
import { unitsOfOthers } from '../tables/check-quotas.ts'
import { checkTableChange } from '../tables/check-table-change.ts'
import { describeEncryption, describeTable, type TableDescription } from '../tables/describe-table.ts'
import { withoutEmptyThroughput } from '../tables/without-empty-throughput.ts'
import { findTable, tableCounts } from './describe-table.ts'

export interface UpdateTableOutput {
  readonly TableDescription: TableDescription
}

export async function updateTable(
  engine: EngineParts,
  scope: Scope,
  given: UpdateTableInput,
): Promise<UpdateTableOutput> {
  const input = withoutEmptyThroughput(given)
  checkTableChange(input)
  if (changesReplicas(input)) return updateReplicas(engine, scope, input)
  const table = findTable(engine, scope, input.TableName)
  await assertAllReached(engine, table)
  const asked: AskedChange[] = [{ table, scope, input, isAskedHere: true }]
  for (const member of membersInStep(engine.catalog, table)) {
    const synced = synchronised(input, member)
    if (synced !== undefined) asked.push({ table: member, scope: scopeOf(member), input: synced })
  }
  const { shown } = await changeTables(engine, asked)
  const description = describeTable(shown, await tableCounts(engine, shown), engine.clock.now())
  if (input.SSESpecification === undefined) return { TableDescription: description }
  // The service mentions the previous key, if there was one, and not yet the requested one.
  const SSEDescription = describeEncryption(shown.encryption, 'UPDATING') ?? { Status: 'UPDATING' }
  return { TableDescription: { ...description, SSEDescription } }
}

async function updateReplicas(
  engine: EngineParts,
  scope: Scope,
  input: UpdateTableInput,
): Promise<UpdateTableOutput> {
  const update = readStrongUpdate(input, scope)
  const known = engine.catalog.find(scope, readTableName(scope, input.TableName))
  const isStrong = known !== undefined && strongly(known.definition) !== undefined
  const makesStrong = input.MultiRegionConsistency === 'STRONG'
  checkReplicaUpdates(update.replicas, scope.region, isStrong || makesStrong)
  const table = findTable(engine, scope, input.TableName)
  await assertAllReached(engine, table)
  if (isStrong && input.MultiRegionConsistency === 'EVENTUAL') throw existingGlobalTable()
  const shown = await changeReplicasOf(engine, table, update, makesStrong)
  return { TableDescription: describeTable(shown, await tableCounts(engine, shown), engine.clock.now()) }
}

function changeReplicasOf(
  engine: EngineParts,
  table: Table,
  update: StrongUpdate,
  makesStrong: boolean,
): Promise<TableDefinition> {
  if (makesStrong) return createStrongGlobalTable(engine, table, update)
  const isStrong = strongly(table.definition) !== undefined
  const onlyUpdates = update.witnesses.length === 0 && update.replicas.every(({ Update }) => Update !== undefined)
  if (isStrong && !onlyUpdates) return deleteStrongGlobalTable(engine, table, update)
  if (update.witnesses.length > 0) throw witnessOfEventual()
  return changeReplicas(engine, table, update.replicas)
}

/** What a request means for one table. */
interface AskedChange {
  readonly table: Table
  readonly scope: Scope
  readonly input: UpdateTableInput
  /** Whether it was asked for here: then it counts for the replicas in other stores as well. */
  readonly isAskedHere?: boolean
}

/** Changes a table and the replicas that follow it, all of them or none, and starts what follows from that. Returns what
 *  the first of them has become. */
export async function changeTables(engine: EngineParts, asked: readonly AskedChange[]): Promise<TableChange> {
  const changes = new Map<number, (definition: TableDefinition) => TableChange>()
  for (const one of asked) changes.set(one.table.id, await readyToChange(engine, one))
  const changed = await engine.catalog.changeTogether(
    asked.map(({ table }) => table),
    (definition) => {
      const change = changes.get(definition.tableId)?.(definition)
      if (change === undefined) throw new Error('every table has its change')
      return { definition: change.definition, answer: change }
    },
  )
  for (const [index, { answer }] of changed.entries()) {
    const { table } = asked[index] ?? {}
    if (table === undefined) continue
    engine.capacity.meters.of(table)
    if (answer.createdIndex !== undefined) engine.begin(indexWork(engine, table, answer.createdIndex.indexId))
    if (answer.deletedIndex !== undefined) engine.purge()
  }
  const [first] = changed
  if (first === undefined) throw new Error('a table is changed')
  return first.answer
}

async function readyToChange(
  engine: EngineParts,
  { table, scope, input, isAskedHere }: AskedChange,
): Promise<(definition: TableDefinition) => TableChange> {
  const creates = (input.GlobalSecondaryIndexUpdates ?? []).some(({ Create }) => Create !== undefined)
  const uuid = engine.randomness.uuid()
  const context = {
    scope,
    nowMs: engine.clock.now(),
    uuid: () => uuid,
    newIndexIds: creates
      ? { indexId: await engine.catalog.allocateId(), cutId: await engine.catalog.allocateId() }
      : undefined,
    otherTables: unitsOfOthers(engine.catalog, scope, table),
  }
  return (definition) => {
    const change = changeTableDefinition(grownDefinition(engine.capacity.meters, definition), input, context)
    if (isAskedHere !== true) return change
    return { ...change, definition: asChanged(change.definition, context.nowMs) }
  }
}
