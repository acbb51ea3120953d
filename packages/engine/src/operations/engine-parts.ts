import type { Dialect } from '../api/dialect.ts'
import type { BackupHost } from '../backups/backup-host.ts'
import type { TableAccess } from '../catalog/table-access.ts'
import type { ItemWriting } from '../items/change-item.ts'
import type { Metrics } from '../metering/metrics.ts'
import type { Randomness } from '../randomness.ts'
import type { Reading } from '../reads/reading.ts'
import type { Scope } from '../scope.ts'
import type { Streaming } from '../streams/streaming.ts'
import type { ReadResourcePolicy } from '../tables/read-resource-policy.ts'
import type { Transfers } from '../transfers/transfers.ts'

/** What the operations are given: all that the floors below them ask for. The engine is one. */
export interface EngineParts extends TableAccess, ItemWriting, Reading, Streaming, BackupHost {
  readonly randomness: Randomness
  readonly metrics: Metrics
  readonly transfers: Transfers
  /** Which of the service's wordings refusals have. */
  readonly dialect: Dialect
  /** Reads the policy of a table or a stream. */
  readonly readResourcePolicy: ReadResourcePolicy
  /** Tells the operator of a table that is missing here but exists elsewhere. */
  tellOfMissing(scope: Scope, tableName: string): void
}
