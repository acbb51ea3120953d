import type { RecordSpace, Scope, ServiceHost, TableDefinition } from '@hashrange/engine'
import type { LogCursor } from '../changes/log-cursor.ts'

export type Precision = 'MILLISECOND' | 'MICROSECOND'

/** A Kinesis stream to which the changes of a table go. ON DISK as JSON. */
export interface DestinationRecord {
  readonly tableName: string
  /** A table that was created again has no destinations of the old one. */
  readonly tableId: number
  readonly streamArn: string
  readonly status: 'ENABLING' | 'ACTIVE' | 'DISABLING' | 'DISABLED' | 'ENABLE_FAILED' | 'UPDATING'
  readonly statusDescription?: string
  /** Absent if it was not requested. */
  readonly precision?: Precision
  /** Present while changes are delivered. */
  readonly cursor?: LogCursor
}

/** Destinations, by table and stream. */
export class DestinationRecords {
  readonly records: RecordSpace<DestinationRecord>

  constructor(host: ServiceHost) {
    this.records = host.records<DestinationRecord>('kinesisDestination')
  }

  async ofTable(scope: Scope, { tableName, tableId }: TableDefinition): Promise<readonly DestinationRecord[]> {
    return (await this.records.list(scope, [tableName])).filter((record) => record.tableId === tableId)
  }
}

/** Who holds the change logs of tables with destinations. */
export const destinationHolder = 'kinesis'

export function isDelivering({ status }: DestinationRecord): boolean {
  return status === 'ENABLING' || status === 'ACTIVE' || status === 'DISABLING' || status === 'UPDATING'
}
