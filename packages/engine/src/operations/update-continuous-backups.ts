import type { UpdateContinuousBackupsInput } from '../api/backup-inputs.ts'
import {
  changedRecovery,
  describeContinuousBackups,
  type ContinuousBackupsDescription,
} from '../backups/recovery-window.ts'
import { invalidRequest } from '../backups/restored-definition.ts'
import { findBackedUpTable } from '../backups/find-backed-up-table.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'

export interface UpdateContinuousBackupsOutput {
  readonly ContinuousBackupsDescription: ContinuousBackupsDescription
}

const defaultPeriodDays = 35

export async function updateContinuousBackups(
  engine: EngineParts,
  scope: Scope,
  input: UpdateContinuousBackupsInput,
): Promise<UpdateContinuousBackupsOutput> {
  const { PointInTimeRecoveryEnabled: enabled, RecoveryPeriodInDays: periodDays } =
    input.PointInTimeRecoverySpecification
  if (!enabled && periodDays !== undefined) {
    throw invalidRequest('Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.')
  }
  const table = findBackedUpTable(engine.catalog, scope, input.TableName)
  const clock = engine.clock.look()
  const definition = await engine.catalog.change(table, ({ recovery, ...rest }) =>
    enabled ? { ...rest, recovery: changedRecovery(recovery, periodDays ?? defaultPeriodDays, clock) } : rest,
  )
  return { ContinuousBackupsDescription: describeContinuousBackups(definition, engine.clock.look()) }
}
