import type { Dialect } from '../api/dialect.ts'
import type { BackupHost } from '../backups/backup-host.ts'
import type { TableAccess } from '../catalog/table-access.ts'
import type { Metrics } from '../metering/metrics.ts'
import type { Reading } from '../reads/reading.ts'
import type { ReplicationHost } from '../replication/replication-host.ts'
import type { Scope } from '../scope.ts'
import type { Streaming } from '../streams/streaming.ts'
import type { ReadResourcePolicy } from '../tables/read-resource-policy.ts'
import type { Transfers } from '../transfers/transfers.ts'

/** What the operations get: everything that the floors below them need. The engine implements it. */
export interface EngineParts extends TableAccess, ReplicationHost, Reading, Streaming, BackupHost {
  readonly metrics: Metrics
  readonly transfers: Transfers
  /** Which wording errors use. */
  readonly dialect: Dialect
  /** Reads the policy of a table or a stream. */
  readonly readResourcePolicy: ReadResourcePolicy
  /** Tells the operator about a table that is missing here but exists elsewhere, or that all tables are elsewhere. */
  reportMissing(scope: Scope, tableName?: string): void
}
