import type { BillingDescription, GlobalTableDescription } from '../description.ts'

/** What a model says of a table; all of it has a default. */
export interface TableConfig {
  /** What DynamoDB calls it: the model's name if there is one table, `<model>-<table>` if there are several. */
  readonly name?: string
  /** The names of the key attributes, `pk` and `sk`. The name of an attribute of the entities makes the key native: the
   *  attribute itself is the key, with its own type. */
  readonly pk?: string
  readonly sk?: string
  /** The attribute that says which entity an item is, `entity`. `'by-key'` if there is none, in a table that others have filled:
   *  then the form of its keys tells. */
  readonly discriminator?: string
  /** What it was before, while some items still have that. */
  readonly was?: { readonly discriminator: string }
  readonly indexes?: Readonly<Record<string, IndexConfig>>
  readonly billing?: BillingDescription
  readonly stream?: 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES'
  readonly pointInTimeRecovery?: boolean
  readonly deletionProtection?: boolean
  readonly tableClass?: 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS'
  /** If it is a global table: its regions, whether they are consistent, and where items are written. The checker looks for what is
   *  not safe there. */
  readonly global?: GlobalTableDescription
  readonly description?: string
}

export interface IndexConfig {
  /** The names of its key attributes, `<index>pk` and `<index>sk`. Naming the table's own key attributes inverts them. */
  readonly pk?: string
  readonly sk?: string
  /** What the index copies in addition to keys: everything, nothing, or these attributes and the discriminator. */
  readonly projection?: 'ALL' | 'KEYS_ONLY' | readonly string[]
}

export type Tables = Readonly<Record<string, TableConfig>>

/** The projection of an index, wherever it is declared; `ALL` if it is not. */
export type ProjectionOf<T extends Tables, X> = [DeclaredProjection<T, X>] extends [never]
  ? 'ALL'
  : DeclaredProjection<T, X>

type DeclaredProjection<T extends Tables, X> = {
  [Id in keyof T]: T[Id] extends { readonly indexes: infer Indexes }
    ? X extends keyof Indexes
      ? Indexes[X] extends { readonly projection: infer Projection }
        ? Projection
        : never
      : never
    : never
}[keyof T]
