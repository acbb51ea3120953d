import type { Item } from '@hashrange/core'
import { namesOf } from '../definitions/key-names.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { UnreadItem } from '../metering/resource-meter.ts'
import { wantedAttributes, type WantedAttributes } from './scan-attributes.ts'
import type { StoredItem } from './stored-item.ts'

/** The attributes of an item that are keys of its table or of an index, or say when it expires. Other attributes may be
 *  among them. */
export function keyAttributesOf(definition: TableDefinition, stored: StoredItem): Item {
  return stored.attributes(keyNamesOf(definition))
}

/** The same after a change, which usually leaves them as they were. */
export function keyAttributesAfter(definition: TableDefinition, stored: StoredItem, before: StoredItem): Item {
  return stored.attributesAfter(keyNamesOf(definition), before)
}

/** The same, when they are needed. */
export class UnreadKeys extends UnreadItem {
  readonly #definition: TableDefinition
  readonly #stored: StoredItem

  constructor(definition: TableDefinition, stored: StoredItem) {
    super()
    this.#definition = definition
    this.#stored = stored
  }

  read(): Item {
    return keyAttributesOf(this.#definition, this.#stored)
  }
}

/** Definitions are replaced, never changed. */
const known = new WeakMap<TableDefinition, WantedAttributes>()

function keyNamesOf(definition: TableDefinition): WantedAttributes {
  const before = known.get(definition)
  if (before !== undefined) return before
  const { keySchema, globalIndexes, localIndexes, timeToLive } = definition
  const indexes = [...globalIndexes, ...localIndexes]
  const names = [keySchema, ...indexes.map((index) => index.keySchema)].flatMap(namesOf)
  const wanted = wantedAttributes(timeToLive === undefined ? names : [...names, timeToLive.attributeName])
  known.set(definition, wanted)
  return wanted
}
