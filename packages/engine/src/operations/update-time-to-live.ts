import { expiriesWork } from '../background/unfinished-work.ts'
import { validationException } from '@hashrange/core'
import type { UpdateTimeToLiveInput } from '../api/table-inputs.ts'
import type { Table } from '../catalog/table.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { membersInStep } from '../replication/members.ts'
import { asChanged } from '../replication/synchronised-settings.ts'
import type { EngineParts } from './engine-parts.ts'
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
  await changeTimeToLive(engine, table, Enabled, AttributeName, true)
  // All replicas of a global table have the same.
  for (const member of membersInStep(engine.catalog, table)) {
    if ((member.definition.timeToLive?.attributeName === AttributeName) === Enabled) continue
    await changeTimeToLive(engine, member, Enabled, AttributeName)
  }
  return { TimeToLiveSpecification: { AttributeName, Enabled } }
}

/** If the change was asked for here, it counts for the replicas in other stores as well. */
export async function changeTimeToLive(
  engine: EngineParts,
  table: Table,
  isEnabled: boolean,
  AttributeName: string,
  isAskedHere = false,
): Promise<void> {
  const nowMs = engine.clock.now()
  const changed = (definition: TableDefinition): TableDefinition =>
    isAskedHere ? asChanged(definition, nowMs) : definition
  if (isEnabled) {
    assertMayEnable(table.definition, AttributeName)
    const expiryIndexId = await engine.catalog.allocateId()
    await engine.catalog.change(table, (definition) => {
      assertMayEnable(definition, AttributeName)
      return changed({ ...definition, timeToLive: { attributeName: AttributeName, expiryIndexId, filling: true } })
    })
    engine.begin(expiriesWork(engine, table, expiryIndexId))
  } else {
    await engine.catalog.change(table, (definition) => {
      assertMayDisable(definition, AttributeName)
      const { timeToLive: _, ...rest } = definition
      return changed(rest)
    })
    engine.purge()
  }
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
