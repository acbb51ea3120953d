export * from './description.ts'
export { ModelError } from './errors.ts'
export type { ModelErrorCode } from './errors.ts'

// The model file.
export { s } from './schema/s.ts'
export { now, secondsFromNow, ulid, uuid } from './schema/generators.ts'
export type { Attribute, AttributeFlag, Attributes, DefaultContext } from './schema/attribute.ts'
export type { StandardSchema } from './schema/standard-schema.ts'
export { entity } from './model/entity.ts'
export type { AnyEntity, Entity } from './model/entity.ts'
export { model } from './model/model.ts'
export type { Model } from './model/make-model.ts'
export type { AnyModel, Patterns } from './model/model.ts'
export type { IndexConfig, TableConfig, Tables } from './model/table-config.ts'

// The client.
export { connect } from './client/connect.ts'
export type { ConnectOptions } from './client/connect.ts'
export type {
  BatchStep,
  BatchWriteFunction,
  Client,
  EntityClient,
  EntitySteps,
  GetFunction,
  KeysFunction,
  PatternFunction,
  QueryFunction,
  QueryPage,
  ScanFunction,
  Selecting,
  TransactFunction,
  TransactStep,
  UpdateFunction,
  WriteFunction,
} from './client/client-types.ts'
export type { AttributeChangesOf, ChangesOf, CheckChanges, PartsOfOneKey } from './client/change-types.ts'
export type { ConditionOf } from './client/condition-types.ts'
export type { Entry, EntryOf, FieldName, Has, ItemsOf, Kind, MayHave, Selected } from './client/kind-types.ts'
export type { Part } from './client/path-types.ts'
export type { QueryOptions } from './client/query-function.ts'
export type { GetOptions } from './client/get-function.ts'
export type { TransactOptions } from './client/transactions/transact.ts'
export type { Cost, Request } from './client/connection.ts'
export {
  above,
  absent,
  add,
  addToSet,
  anyOf,
  append,
  atLeast,
  atMost,
  beginsWith,
  below,
  between,
  contains,
  differs,
  equals,
  exists,
  ifAbsent,
  oneOf,
  prepend,
  remove,
  removeFromSet,
  subtract,
} from './client/operators.ts'

export type { AnyOf, Change, Comparison, Containing } from './client/operators.ts'

// Types that the declarations of a model file name.
export type { EntityTypes, IndexTypes, KeyTypes, SatelliteItem, SatelliteTypes } from './model/entity-types.ts'
export type { Entities, PeriodRange, QueryParameters, Range } from './model/pattern-types.ts'
export type {
  AnyPattern,
  GetTypes,
  KeysTypes,
  LookupTypes,
  Pattern,
  PatternMaker,
  PatternOptions,
  QueryTypes,
  ReadPatternOptions,
  TransactTypes,
  WriteTypes,
} from './model/patterns.ts'
export type { Refused } from './keys/template-types.ts'

// Types of items, for functions of your own.
export type { InputOf, ItemOf } from './schema/attribute-types.ts'
export type { Item, ItemInput, ItemKey } from './model/item-types.ts'

// Keys as the library makes them, for tools and other languages.
export { hashOf } from './keys/hash-of.ts'
export { shardOf } from './keys/shard-of.ts'
