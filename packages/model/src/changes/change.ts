import type { Item } from '../model/item-types.ts'
import type { AnyEntity } from '../model/entity.ts'
import type { AnyModel } from '../model/model.ts'

/** What happened to an item, as its entity. */
export type Change<E extends AnyEntity = AnyEntity> = Insert<E> | Modify<E> | Remove<E>

export interface Insert<E extends AnyEntity> extends ChangeFacts<E> {
  readonly kind: 'insert'
  readonly before: undefined
  readonly after: Item<E>
}

export interface Modify<E extends AnyEntity> extends ChangeFacts<E> {
  readonly kind: 'modify'
  readonly before: Item<E>
  readonly after: Item<E>
}

export interface Remove<E extends AnyEntity> extends ChangeFacts<E> {
  readonly kind: 'remove'
  readonly before: Item<E>
  readonly after: undefined
  /** It was removed because its time to live had passed. */
  readonly isExpiry: boolean
}

interface ChangeFacts<E extends AnyEntity> {
  readonly entity: E['$']['name']
  /** The same each time the change is delivered. As the `token` of a transaction, it makes a write safe to repeat for
   *  ten minutes. */
  readonly id: string
  readonly at: Date
  readonly sequenceNumber: string
  /** Sorts the changes of one item: a later one is greater. Undefined if the record does not say which stream it is from. */
  readonly position: string | undefined
}

/** A change of any entity of a model; `entity` and `kind` tell which. */
export type ChangeIn<M extends AnyModel> = {
  readonly [N in keyof M['$']['entities']]: Change<M['$']['entities'][N]>
}[keyof M['$']['entities']]
