import { itemSizeBytes, type Item } from '@hashrange/core'
import type { Value } from '../store/store.ts'
import { RawJson } from '../wire/raw-json.ts'
import { scanAttributes, type WantedAttributes } from './scan-attributes.ts'

/** Bytes before the item's JSON: the format, and the item's size by the service's rules. ON DISK. */
const headerBytes = 5
const format = 1

export { format as storedFormat, headerBytes as storedHeaderBytes }

/** An item as stored: its size is known without parsing it, and its JSON is already the wire format. */
export class StoredItem {
  readonly value: Value
  #item: Item | undefined
  /** What was read of it without parsing the rest. */
  #some: { readonly wanted: WantedAttributes; readonly item: Item } | undefined

  constructor(value: Value, item?: Item) {
    this.value = value
    this.#item = item
  }

  static of(item: Item, sizeBytes = itemSizeBytes(item)): StoredItem {
    const json = JSON.stringify(item)
    const value = Buffer.allocUnsafe(headerBytes + Buffer.byteLength(json))
    writeStored(value, 0, json, sizeBytes)
    return new StoredItem(value, item)
  }

  get sizeBytes(): number {
    return storedSizeBytes(this.value)
  }

  get json(): RawJson {
    return new RawJson(this.value, headerBytes)
  }

  get item(): Item {
    this.#item ??= parseStored(this.value)
    return this.#item
  }

  /** An item with the wanted attributes, as far as there are any. It has others as well if the item is parsed. */
  attributes(wanted: WantedAttributes): Item {
    if (this.#item !== undefined) return this.#item
    if (this.#some?.wanted === wanted) return this.#some.item
    const item = scanAttributes(this.value, headerBytes, wanted)
    if (item === undefined) return this.item
    this.#some = { wanted, item }
    return item
  }
}

/** An item whose JSON and size are already known. */
export function storedValueOf(json: RawJson, sizeBytes: number): Value {
  const value = Buffer.allocUnsafe(headerBytes + json.length)
  value[0] = format
  value.writeUInt32BE(sizeBytes, 1)
  json.copyTo(value, headerBytes)
  return value
}

/** Writes an item's stored form into `target` and returns where it ends there. */
export function writeStored(target: Buffer, offset: number, json: string, sizeBytes: number): number {
  target[offset] = format
  target.writeUInt32BE(sizeBytes, offset + 1)
  return offset + headerBytes + target.write(json, offset + headerBytes)
}

/** No character takes more than three bytes per UTF-16 unit. */
export function mostStoredBytes(json: string): number {
  return headerBytes + 3 * json.length
}

export function storedSizeBytes(value: Value): number {
  return value.readUInt32BE(1)
}

export function storedJson(value: Value): RawJson {
  return new RawJson(value, headerBytes)
}

export function parseStored(value: Value): Item {
  return JSON.parse(value.toString('utf8', headerBytes)) as Item
}
