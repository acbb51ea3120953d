/** What the tables of a database were asked for, minute by minute, as a server has recorded it. */
export interface RecordedTraffic {
  /** The start of the first minute. */
  readonly fromMs: number
  /** How many whole minutes were recorded. */
  readonly minutes: number
  readonly tables: readonly RecordedTable[]
}

export interface RecordedTable {
  readonly accountId: string
  readonly region: string
  readonly tableName: string
  readonly billingMode: 'PROVISIONED' | 'PAY_PER_REQUEST'
  readonly tableClass?: TableClass | undefined
  /** The table itself, whose local indexes count to it, then its global indexes. */
  readonly places: readonly RecordedPlace[]
}

export type TableClass = 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS'

export interface RecordedPlace {
  /** Absent for the table itself. */
  readonly indexName?: string | undefined
  /** What it holds now. */
  readonly items: number
  readonly bytes: number
  /** Units consumed in each minute; empty if there were none. */
  readonly readUnits: readonly number[]
  readonly writeUnits: readonly number[]
}
