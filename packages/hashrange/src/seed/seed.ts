import type { TableDesign } from '@hashrange/templates'
import type { TableKeys } from '@hashrange/transfer'

/** An item in DynamoDB's JSON form. */
export type SeedItem = Readonly<Record<string, unknown>>

/** Items for a table. */
export interface Seed {
  readonly tableName: string
  /** Where they come from, for messages. */
  readonly origin: string
  /** The table, if the source says how it is made. */
  readonly design?: TableDesign | undefined
  /** CSV has no types: those of key attributes come from the table. */
  items(keyTypes: TableKeys['types']): readonly SeedItem[]
}

/** A file that cannot be used as it is; the sentence says why. */
export class SeedError extends Error {
  override readonly name = 'SeedError'
}
