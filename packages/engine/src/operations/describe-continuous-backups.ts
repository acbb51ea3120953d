import type { DescribeContinuousBackupsInput } from '../api/backup-inputs.ts'
import { findBackedUpTable } from '../backups/find-backed-up-table.ts'
import {
  describeContinuousBackups as describe,
  type ContinuousBackupsDescription,
} from '../backups/recovery-window.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'

export interface DescribeContinuousBackupsOutput {
  readonly ContinuousBackupsDescription: ContinuousBackupsDescription
}

export async function describeContinuousBackups(
  engine: EngineParts,
  scope: Scope,
  input: DescribeContinuousBackupsInput,
): Promise<DescribeContinuousBackupsOutput> {
  const { definition } = findBackedUpTable(engine.catalog, scope, input.TableName)
  return { ContinuousBackupsDescription: describe(definition, engine.clock.look()) }
}
