import { expiriesWork } from '../background/unfinished-work.ts'
import { validationException } from '@hashrange/core'
import type { UpdateTimeToLiveInput } from '../api/table-inputs.ts'
import type { DefinitionChange } from '../catalog/definition-change.ts'
import type { Table } from '../catalog/table.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { membersInStep } from '../replication/members.ts'
import { asChanged } from '../replication/synchronised-settings.ts'
import type { EngineParts } from './engine-parts.ts'
import { notSupported } from '../replication/strong-global-table.ts'
import { strongly } from '../strong/strong-replicas.ts'
import type { Scope } from '../scope.ts'
import { findTable } from './describe-table.ts'

export interface UpdateTimeToLiveOutput {
  readonly TimeToLiveSpecification: UpdateTimeToLiveInput['TimeToLiveSpecification']
}

/** The service allows one change per half hour; here one may follow another at once. */
export async function updateTimeToLive(
  engine: EngineParts,
  scope: Scope,
  input: UpdateTimeToLiveInput,
): Promise<UpdateTimeToLiveOutput> {
  const table = findTable(engine, scope, input.TableName)
  const { Enabled, AttributeName } = input.TimeToLiveSpecification
  if (Enabled && strongly(table.definition) !== undefined) throw notSupported('Time to Live (TTL) is')
  // All replicas of a global table have the same.
  const others = membersInStep(engine.catalog, table).filter(
    ({ definition }) => (definition.timeToLive?.attributeName === AttributeName) !== Enabled,
  )
  await changeTimeToLive(engine, [table, ...others], Enabled, AttributeName, table)
  return { TimeToLiveSpecification: { AttributeName, Enabled } }
}

/** In all of the tables, or in none. If it was asked for here, in `askedIn`, it counts for the replicas in other stores
 *  as well. */
export async function changeTimeToLive(
  engine: EngineParts,
  tables: readonly Table[],
  isEnabled: boolean,
  AttributeName: string,
  askedIn?: Table,
): Promise<void> {
  const nowMs = engine.clock.now()
  const changed = (definition: TableDefinition): DefinitionChange<undefined> => ({
    definition: definition.tableId === askedIn?.id ? asChanged(definition, nowMs) : definition,
    answer: undefined,
  })
  if (!isEnabled) {
    await engine.catalog.changeTogether(tables, (definition) => {
      assertMayDisable(definition, AttributeName)
      const { timeToLive: _, ...rest } = definition
      return changed(rest)
    })
    engine.purge()
    return
  }
  const ids = new Map<number, number>()
  for (const { id, definition } of tables) {
    assertMayEnable(definition, AttributeName)
    ids.set(id, await engine.catalog.allocateId())
  }
  await engine.catalog.changeTogether(tables, (definition) => {
    assertMayEnable(definition, AttributeName)
    const expiryIndexId = ids.get(definition.tableId) ?? 0
    const timeToLive = { attributeName: AttributeName, expiryIndexId, filling: true }
    return changed({ ...definition, timeToLive })
  })
  for (const table of tables) engine.begin(expiriesWork(engine, table, ids.get(table.id) ?? 0))
}

function assertMayEnable({ timeToLive }: TableDefinition, attributeName: string): void {
  if (timeToLive === undefined) return
  if (timeToLive.attributeName !== attributeName) throw activeOnAnother(timeToLive.attributeName)
  throw validationException('TimeToLive is already enabled')
}

function assertMayDisable({ timeToLive }: TableDefinition, attributeName: string): void {
  if (timeToLive === undefined) throw validationException('TimeToLive is already disabled')
  if (timeToLive.attributeName !== attributeName) throw activeOnAnother(timeToLive.attributeName)
}

function activeOnAnother(attributeName: string): Error {
  return validationException(
    `TimeToLive is active on a different AttributeName: current AttributeName is ${attributeName}`,
  )
}
