import type {
  AttributeDescription,
  DatePrecision,
  KeyDescription,
  KeyFormatDescription,
  KeyTemplateDescription,
  ScalarType,
  ShardDescription,
  ValueDescription,
  VolumeDescription,
} from './attribute-description.ts'

export type * from './attribute-description.ts'

/** A model as plain data: what every tool reads (checker, cost, exporters, documentation, workbench). It is
 *  JSON-serialisable, holds no functions and repeats nothing that can be looked up elsewhere in it.
 *
 *  STABLE: fields are added, never renamed or removed, without a new `formatVersion`. */
export interface ModelDescription {
  readonly formatVersion: 1
  readonly name: string
  readonly description?: string
  readonly owner?: string
  readonly tables: readonly TableDescription[]
  readonly entities: readonly EntityDescription[]
  readonly patterns: readonly PatternDescription[]
  /** Who may use which patterns; absent if the model does not say. */
  readonly roles?: readonly RoleDescription[]
}

/** The description of a model; the same object each time. */
export function describe(model: { readonly description: ModelDescription }): ModelDescription {
  return model.description
}

// ---- tables ----------------------------------------------------------------------------------------------------

export interface TableDescription {
  /** What entities and patterns call it; `main` in a model of one table. */
  readonly id: string
  /** Its name in DynamoDB, unless `connect` gives another. */
  readonly name: string
  readonly partitionKey: KeyAttributeDescription
  readonly sortKey?: KeyAttributeDescription
  readonly indexes: readonly IndexDescription[]
  /** The attribute that says which entity an item is. */
  readonly discriminator: string
  /** The one that items may still have instead; empty where their keys alone told. */
  readonly discriminatorBefore?: string
  readonly ttlAttribute?: string
  readonly billing: BillingDescription
  readonly stream?: 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES'
  readonly pointInTimeRecovery?: boolean
  readonly deletionProtection?: boolean
  readonly tableClass?: 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS'
  /** If it is a global table. */
  readonly global?: GlobalTableDescription
  readonly description?: string
}

/** The regions of a global table, and how they are used. */
export interface GlobalTableDescription {
  /** All of them, that of a witness included. */
  readonly regions: readonly string[]
  /** `eventual` unless told. */
  readonly consistency?: 'eventual' | 'strong'
  /** Where an item is written: in `any` region, unless told; in the `home` region of each item; or all items in `one` region. */
  readonly writes?: 'any' | 'home' | 'one'
}

export interface KeyAttributeDescription {
  readonly name: string
  readonly type: ScalarType
}

export type BillingDescription = { readonly mode: 'on-demand' } | ProvisionedBilling

export interface ProvisionedBilling {
  readonly mode: 'provisioned'
  readonly readUnits: number
  readonly writeUnits: number
}

export interface IndexDescription {
  /** Unique within the model, so that a pattern names it without its table. */
  readonly name: string
  readonly kind: 'global' | 'local'
  /** One attribute, or up to four of a native multi-attribute key. */
  readonly partitionKeys: readonly KeyAttributeDescription[]
  readonly sortKeys: readonly KeyAttributeDescription[]
  readonly projection: ProjectionDescription
}

export type ProjectionDescription =
  | { readonly type: 'ALL' }
  | { readonly type: 'KEYS_ONLY' }
  /** `attributes` are the non-key attributes; the discriminator is among them. */
  | { readonly type: 'INCLUDE'; readonly attributes: readonly string[] }

// ---- entities --------------------------------------------------------------------------------------------------

export interface EntityDescription {
  /** Also the value of the discriminator. */
  readonly name: string
  /** A table's `id`. */
  readonly table: string
  readonly attributes: readonly AttributeDescription[]
  readonly key: KeyDescription
  /** Whether other entities may have the same key, on purpose. */
  readonly sharesKeys?: boolean
  /** One for each index in which items of this entity can appear. */
  readonly indexKeys: readonly IndexKeyDescription[]
  /** How items were stored before, while some still are: what differs from the above. */
  readonly was?: PredecessorDescription
  /** Further items of the base table that are kept in the same transaction as the item itself. */
  readonly satellites: readonly SatelliteDescription[]
  readonly volume: VolumeDescription
  readonly description?: string
  readonly owner?: string
  /** Where the model file defines it. */
  readonly location?: LocationDescription
}

/** The form that items of an entity had before. */
export interface PredecessorDescription {
  readonly table: string
  readonly key: KeyDescription
  readonly indexKeys: readonly IndexKeyDescription[]
  /** The number of shards before, by attribute. */
  readonly shards: Readonly<Record<string, number>>
  /** What attributes were called in the table. */
  readonly names: Readonly<Record<string, string>>
}

export interface LocationDescription {
  readonly file: string
  readonly line: number
  readonly column: number
}

export interface IndexKeyDescription {
  readonly index: string
  /** Several only for a native multi-attribute key. For a local index: the table's own. */
  readonly partition: readonly KeyTemplateDescription[]
  readonly sort: readonly KeyTemplateDescription[]
  /** The item is in the index only if each of these attributes has one of the values. */
  readonly when?: readonly WhenDescription[]
  /** How many partitions one logical partition is spread over, if a hole of the partition key is a shard. */
  readonly shards?: ShardDescription & { readonly attribute: string }
}

export interface WhenDescription {
  readonly attribute: string
  readonly values: readonly (string | number | boolean)[]
}

/** An item beside the item: a uniqueness guard (at most one owner for its key), or an index item (a further way to find
 *  the owner, strongly consistent). */
export interface SatelliteDescription {
  readonly kind: 'unique' | 'index-item'
  /** `Customer.email`: also the value of its discriminator, and what patterns call it. */
  readonly name: string
  /** The attributes of its key; the satellite only exists while all of them have a value. */
  readonly attributes: readonly string[]
  readonly key: KeyDescription
  /** The set or list attribute that gives one satellite for each of its elements. */
  readonly each?: string
  /** The attributes copied into it, besides those of the owner's primary key. */
  readonly include: readonly string[]
}

// ---- access patterns -------------------------------------------------------------------------------------------

export type PatternOperation =
  | 'GetItem'
  | 'Query'
  | 'Scan'
  | 'BatchGetItem'
  | 'TransactGetItems'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'TransactWriteItems'

export interface PatternDescription {
  readonly name: string
  readonly operation: PatternOperation
  /** What the model calls it: `lookup` is a guard or index item and then its owner; `create` is a conditional PutItem. */
  readonly action: PatternAction
  /** A table's `id`; the first one's for patterns that span tables. */
  readonly table: string
  readonly index?: string
  /** The entities, and satellites by their name (`Customer.email`), that it returns or writes. */
  readonly entities: readonly string[]
  /** Of a query: one template, or the attributes of a native multi-attribute key. */
  readonly partition?: readonly KeyTemplateDescription[]
  /** Of a query; absent if the whole partition is read. */
  readonly sort?: SortConditionDescription
  readonly order: 'ascending' | 'descending'
  readonly limit?: number
  readonly isConsistent: boolean
  /** Attributes compared after the read, each with a parameter of its name: paid for, then thrown away. */
  readonly filter?: readonly string[]
  /** The range is of an attribute whose period is in the partition key: one query after another, period by period. */
  readonly buckets?: { readonly attribute: string; readonly precision: DatePrecision }
  /** The query is sent once for each shard, and the answers are merged in order. */
  readonly shards?: ShardDescription & { readonly attribute: string }
  readonly parameters: readonly ParameterDescription[]
  /** Of a lookup: the satellite's name. */
  readonly via?: string
  /** Of an update: the attributes it changes. */
  readonly changes?: readonly string[]
  /** Of a transaction or a batch: what it does, and how often typically. */
  readonly steps?: readonly StepDescription[]
  readonly traffic: TrafficDescription
  readonly budget: BudgetDescription
  readonly owner?: string
  readonly description?: string
  readonly location?: LocationDescription
}

export type PatternAction =
  | 'get'
  | 'query'
  | 'scan'
  | 'batchGet'
  | 'transactGet'
  | 'lookup'
  | 'create'
  | 'put'
  | 'update'
  | 'modify'
  | 'upsert'
  | 'delete'
  | 'transact'

export type SortConditionDescription =
  /** All of the sort key. */
  | { readonly kind: 'equals'; readonly templates: readonly KeyTemplateDescription[] }
  /** `text` with its holes filled begins the sort key. For a native multi-attribute key: its first attributes, equal. */
  | { readonly kind: 'prefix'; readonly templates: readonly KeyTemplateDescription[] }
  /** The caller may bound the hole that follows the prefix; without bounds it reads the prefix. */
  | {
      readonly kind: 'range'
      readonly templates: readonly KeyTemplateDescription[]
      readonly attribute: string
      readonly format: KeyFormatDescription
    }
  /** Two literal bounds, inclusive. */
  | { readonly kind: 'between'; readonly from: string; readonly to: string }

export interface ParameterDescription {
  readonly name: string
  readonly isRequired: boolean
  /** `range` takes `{ from, to }`, `{ after, before }` or `{ begins }`; `keys` takes lists of primary keys by entity; `item` and `changes` are
   *  those of the entity. */
  readonly kind: 'value' | 'range' | 'keys' | 'item' | 'changes'
  /** Of a value or range. */
  readonly value?: ValueDescription
}

export interface StepDescription {
  readonly entity: string
  readonly action: 'get' | 'create' | 'put' | 'update' | 'modify' | 'upsert' | 'delete' | 'check'
  readonly count: number
}

// ---- roles -----------------------------------------------------------------------------------------------------

/** Those who use some of the patterns, and nothing else. */
export interface RoleDescription {
  readonly name: string
  /** The names of the patterns. */
  readonly patterns: readonly string[]
  /** The attribute that says which tenant an item belongs to: a principal with the role only sees the items of one
   *  tenant, named by the tag of that name on the principal. */
  readonly tenant?: string
  /** The policy that the role really has, if it is not the one that is generated. */
  readonly policy?: PolicyDescription
  readonly description?: string
}

/** A policy of IAM, as JSON. */
export interface PolicyDescription {
  readonly Version?: string
  readonly Statement: unknown
}

/** What is known of a pattern's use. */
export interface TrafficDescription {
  /** Calls a second, on average and at peak. */
  readonly rate?: number
  readonly peakRate?: number
  /** The share of calls that go to the busiest key, 0 to 1. */
  readonly hotKeyShare?: number
  /** Items that one call returns or writes, typically. */
  readonly items?: number
  readonly itemBytes?: number
}

/** What one call may cost at most. */
export interface BudgetDescription {
  readonly requests?: number
  readonly readUnits?: number
  readonly writeUnits?: number
  readonly milliseconds?: number
}
