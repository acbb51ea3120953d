/** One call of the service as an audit log tells it: what was asked of which table, and no values but keys. */
export interface RecordedCall {
  readonly operation: string
  readonly atMs: number
  /** The items that it names, each with the table it is in. */
  readonly items: readonly NamedItem[]
  /** Of a query or scan. */
  readonly read?: RecordedRead
}

export interface NamedItem {
  readonly table: string
  readonly action: 'get' | 'put' | 'update' | 'delete' | 'check'
  /** In DynamoDB's JSON; absent if the log does not have it. */
  readonly key?: Readonly<Record<string, unknown>> | undefined
  /** Whether it only writes where there is nothing. */
  readonly isConditionalOnAbsence: boolean
  /** The attributes that an update names. */
  readonly names: readonly string[]
}

export interface RecordedRead {
  readonly table: string
  readonly index?: string | undefined
  /** How many keys are given exactly; an index may have several partition keys. */
  readonly equalities: number
  /** What else is asked of the sort key. */
  readonly sort: 'none' | 'prefix' | 'range'
  readonly isDescending: boolean
  readonly hasFilter: boolean
}
