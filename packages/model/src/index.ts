export * from './description.ts'
export { ModelError } from './errors.ts'
export type { ModelErrorCode } from './errors.ts'

// The model file.
export { s } from './schema/s.ts'
export { now, secondsFromNow, ulid, uuid } from './schema/generators.ts'
export type { DefaultContext } from './schema/attribute.ts'
export type { StandardSchema } from './schema/standard-schema.ts'
export { entity } from './model/entity.ts'
export { model } from './model/model.ts'
export type { AnyModel, Model } from './model/model.ts'
export type { IndexConfig, TableConfig } from './model/table-config.ts'

// The client.
export { connect } from './client/connect.ts'
export type { ConnectOptions } from './client/connect.ts'
export type { Client, QueryPage } from './client/client-types.ts'
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

// Types of items, for functions of your own.
export type { InputOf, ItemOf } from './schema/attribute-types.ts'
export type { Item, ItemInput, ItemKey } from './model/item-types.ts'

// Keys as the library makes them, for tools and other languages.
export { shardOf } from './keys/shard-of.ts'
