import { indexWork } from '../background/unfinished-work.ts'
import type { ReplicaUpdateInput, UpdateTableInput } from '../api/table-inputs.ts'
import { grownDefinition } from '../capacity/grown-definition.ts'
import type { Table } from '../catalog/table.ts'
import type { EngineParts } from './engine-parts.ts'
import { changeReplicas, checkReplicaUpdates } from '../replication/change-replicas.ts'
import { membersInStep, scopeOf } from '../replication/members.ts'
import { asChanged, synchronised } from '../replication/synchronised-settings.ts'
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
  if (input.ReplicaUpdates !== undefined) return updateReplicas(engine, scope, input, input.ReplicaUpdates)
  const table = findTable(engine, scope, input.TableName)
  const { shown } = await changeTable(engine, scope, table, input, true)
  for (const member of membersInStep(engine.catalog, table)) {
    const synced = synchronised(input, member)
    if (synced !== undefined) await changeTable(engine, scopeOf(member), member, synced)
  }
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
  updates: readonly ReplicaUpdateInput[],
): Promise<UpdateTableOutput> {
  checkReplicaUpdates(updates, scope.region)
  const table = findTable(engine, scope, input.TableName)
  const shown = await changeReplicas(engine, table, updates)
  return { TableDescription: describeTable(shown, await tableCounts(engine, shown), engine.clock.now()) }
}

/** Changes one table, and starts what follows from that. If the change was asked for here, it counts for the replicas in
 *  other stores as well. */
export async function changeTable(
  engine: EngineParts,
  scope: Scope,
  table: Table,
  input: UpdateTableInput,
  isAskedHere = false,
): Promise<TableChange> {
  const updates = input.GlobalSecondaryIndexUpdates ?? []
  const creates = updates.some(({ Create }) => Create !== undefined)
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
  const { answer } = await engine.catalog.changeWith(table, (definition) => {
    const change = changeTableDefinition(grownDefinition(engine.capacity.meters, definition), input, context)
    return {
      definition: isAskedHere ? asChanged(change.definition, context.nowMs) : change.definition,
      answer: change,
    }
  })
  const { createdIndex, deletedIndex } = answer
  engine.capacity.meters.of(table)
  if (createdIndex !== undefined) engine.begin(indexWork(engine, table, createdIndex.indexId))
  if (deletedIndex !== undefined) engine.purge()
  return answer
}
