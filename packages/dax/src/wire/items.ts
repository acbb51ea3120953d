import { setAttribute, validationException, type AttributeValue, type Item } from '@hashrange/core'
import type { AttributeLists } from './attribute-lists.ts'
import { readAttributeValue, writeAttributeValue } from './attribute-values.ts'
import { CborReader } from './cbor-reader.ts'
import { CborWriter } from './cbor-writer.ts'
import type { KeyAttribute } from './keys.ts'

/** What an item has besides its key: the number of its list of names, and the values in the order of that list. */
export function readValues(bytes: Buffer, lists: AttributeLists): Record<string, AttributeValue> {
  const reader = new CborReader(bytes)
  const names = lists.namesOf(reader.integer())
  const item: Record<string, AttributeValue> = {}
  for (const name of names) setAttribute(item, name, readAttributeValue(reader))
  if (!reader.atEnd) throw validationException('An item has more values than attribute names')
  return item
}

/** The same of what a client sends: another server may have given out the number of its names. */
export async function readSentValues(
  bytes: Buffer,
  lists: AttributeLists,
): Promise<Record<string, AttributeValue>> {
  await lists.learn(new CborReader(bytes).integer())
  return readValues(bytes, lists)
}

export function writeValues(item: Item, keys: readonly KeyAttribute[], lists: AttributeLists): Buffer {
  const names = Object.keys(item).filter((name) => !keys.some((key) => key.name === name))
  const sorted = names.toSorted()
  const writer = new CborWriter().integer(lists.idOf(sorted))
  for (const name of sorted) {
    const value = item[name]
    if (value !== undefined) writeAttributeValue(writer, value)
  }
  return writer.take()
}

/** Some attributes of an item, by their position in a list of names. */
export function writeNamedValues(attributes: Item, lists: AttributeLists): Buffer {
  const names = Object.keys(attributes).toSorted()
  const writer = new CborWriter().integer(lists.idOf(names)).beginMap()
  for (const [position, name] of names.entries()) {
    writer.integer(position)
    const value = attributes[name]
    if (value !== undefined) writeAttributeValue(writer, value)
  }
  return writer.end().take()
}
