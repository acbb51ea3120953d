import { equalItems, itemSizeBytes, type Item } from '@hashrange/core'
import type { ShardDefinition, TableDefinition } from '../definitions/table-definition.ts'
import {
  changeRecordDamage,
  changeRecordParts,
  decodeChangeRecord,
  type ChangeRecord,
} from '../changes/change-record.ts'
import { checkKeyOf, keyOfItem } from '../items/check-schema.ts'
import { itemKey, keyHeaderBytes } from '../layout/item-keys.ts'
import type { Key, Value } from '../store/store.ts'
import { messageOf, readItemJson } from './read-stored-item.ts'

/** A change as it is in the log, and everything that is wrong with it. Without the other members, it is unknown which
 *  item it belongs to. */
export interface ReadChange {
  readonly problems: readonly string[]
  readonly change?: Change
}

export interface Change {
  readonly event: ChangeRecord['event']
  /** The item's key in its table. */
  readonly itemKey: Key
  readonly keys: Item
  /** The bytes of the images, if they are kept. */
  readonly oldImage: Buffer | undefined
  readonly newImage: Buffer | undefined
}

export function readChange(definition: TableDefinition, shard: ShardDefinition, value: Value): ReadChange {
  const damage = changeRecordDamage(value)
  if (damage !== undefined) return { problems: [`The record cannot be read: ${damage}.`] }
  const { keys, oldImage, newImage } = changeRecordParts(value)
  const record = decodeChangeRecord(value)
  const { keySchema, attributeTypes, tableId } = definition
  const read = readItemJson(keys)
  if (read.item === undefined) return { problems: [`The record's key is damaged. ${read.problems.join(' ')}`] }
  const problems = [...read.problems]
  let key: Key
  try {
    checkKeyOf(keySchema, attributeTypes, read.item)
    key = itemKey(tableId, keySchema, attributeTypes, read.item)
  } catch (error) {
    return { problems: [`The record's key is not one of the table (${messageOf(error)}).`] }
  }
  if (itemSizeBytes(read.item) !== record.keysSizeBytes)
    problems.push("The size of the record's key is not what is stored.")
  const hash = Buffer.from(key).readUInt32BE(keyHeaderBytes)
  if (hash < shard.fromHash || hash >= shard.toHash) problems.push('The change belongs to another shard.')
  problems.push(
    ...imageProblems('old', definition, read.item, oldImage, record.oldSizeBytes),
    ...imageProblems('new', definition, read.item, newImage, record.newSizeBytes),
  )
  if (record.event === 'INSERT' && oldImage !== undefined)
    problems.push('An item that was inserted has an old image.')
  if (record.event === 'REMOVE' && newImage !== undefined)
    problems.push('An item that was removed has a new image.')
  if (!Number.isFinite(record.atMs)) problems.push('The change has no time.')
  return { problems, change: { event: record.event, itemKey: key, keys: read.item, oldImage, newImage } }
}

function imageProblems(
  which: 'old' | 'new',
  { keySchema }: TableDefinition,
  keys: Item,
  image: Buffer | undefined,
  sizeBytes: number,
): readonly string[] {
  if (image === undefined) return sizeBytes === 0 ? [] : [`The ${which} image is missing, but its size is stored.`]
  const { item, problems } = readItemJson(image)
  if (item === undefined) return [`The ${which} image is damaged. ${problems.join(' ')}`]
  const found = problems.map((problem) => `The ${which} image is damaged. ${problem}`)
  if (itemSizeBytes(item) !== sizeBytes) found.push(`The size of the ${which} image is not what is stored.`)
  if (!equalItems(keyOfItem(keySchema, item), keys))
    found.push(`The ${which} image has another key than the record.`)
  return found
}
