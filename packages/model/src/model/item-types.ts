import type { InputOf } from '../schema/attribute-types.ts'
import type { AnyEntity } from './entity.ts'
import type { EntityItem, KeyInputOf } from './entity-types.ts'

/** An item of an entity as it is read: `type Order = Item<typeof Order>`. */
export type Item<E extends AnyEntity> = EntityItem<E['$']>

/** What is needed to create one. */
export type ItemInput<E extends AnyEntity> = InputOf<E['$']['attributes']>

/** What identifies one. */
export type ItemKey<E extends AnyEntity> = KeyInputOf<E['$']>
