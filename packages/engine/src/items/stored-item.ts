import { itemSizeBytes, type Item } from '@hashrange/core'
import { itemStampDamage } from '../stamps/item-stamp.ts'
import type { Value } from '../store/store.ts'
import { RawJson } from '../wire/raw-json.ts'
import { scanAttributes, type WantedAttributes } from './scan-attributes.ts'

/** Bytes before the item's JSON: the format, and the item's size by the service's rules. In a replica of a global table,
 *  the stamp follows before the JSON: its length (2 bytes), which includes the identifier of the replica's stamps (4
 *  bytes), and the stamp. ON DISK. */
const headerBytes = 5
const format = 1
const stampedFormat = 2
const stampLengthBytes = 2
const stampsIdBytes = 4

export { headerBytes as storedHeaderBytes }

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
    return storedJson(this.value)
  }

  /** The same item without a stamp: index entries and tables without replicas have none. */
  get plainValue(): Value {
    return this.value[0] === stampedFormat ? storedValueOf(this.json, this.sizeBytes) : this.value
  }

  /** The same item with the stamp of a replica. */
  stampedValue(stampsId: number, stamp: Value): Value {
    const { json } = this
    const jsonAt = headerBytes + stampLengthBytes + stampsIdBytes + stamp.length
    const value = Buffer.allocUnsafe(jsonAt + json.length)
    value[0] = stampedFormat
    value.writeUInt32BE(this.sizeBytes, 1)
    value.writeUInt16BE(stampsIdBytes + stamp.length, headerBytes)
    value.writeUInt32BE(stampsId, headerBytes + stampLengthBytes)
    value.set(stamp, headerBytes + stampLengthBytes + stampsIdBytes)
    json.copyTo(value, jsonAt)
    return value
  }

  /** The same item with the same stamp, in another replica. */
  restampedValue(stampsId: number): Value {
    const value = Buffer.from(this.value)
    value.writeUInt32BE(stampsId, headerBytes + stampLengthBytes)
    return value
  }

  get item(): Item {
    this.#item ??= parseStored(this.value)
    return this.#item
  }

  /** An item with the wanted attributes, as far as there are any. It has others as well if the item is parsed. */
  attributes(wanted: WantedAttributes): Item {
    if (this.#item !== undefined) return this.#item
    if (this.#some?.wanted === wanted) return this.#some.item
    const item = scanAttributes(this.value, jsonStart(this.value), wanted)
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
  return new RawJson(value, jsonStart(value))
}

export function parseStored(value: Value): Item {
  return JSON.parse(value.toString('utf8', jsonStart(value))) as Item
}

/** Where the JSON of an item begins. */
export function jsonStart(value: Value): number {
  return value[0] === stampedFormat ? headerBytes + stampLengthBytes + value.readUInt16BE(headerBytes) : headerBytes
}

/** The stamp in an item. It counts in the replica that has written it: an item of a backup, or of a table that was a
 *  replica before, may have that of another. */
export function stampInside(value: Value, stampsId: number): Value | undefined {
  if (value[0] !== stampedFormat) return undefined
  const start = headerBytes + stampLengthBytes + stampsIdBytes
  return value.readUInt32BE(start - stampsIdBytes) === stampsId
    ? value.subarray(start, jsonStart(value))
    : undefined
}

/** Why the header of an item is not valid; undefined if it is. */
export function storedHeaderDamage(value: Value): string | undefined {
  if (value.length <= headerBytes) return 'It is cut short.'
  if (value[0] === format) return undefined
  if (value[0] !== stampedFormat) return `It has the format ${value[0]}, which is unknown.`
  if (value.length <= headerBytes + stampLengthBytes || value.length <= jsonStart(value)) return 'It is cut short.'
  if (value.readUInt16BE(headerBytes) < stampsIdBytes) return 'Its stamp is cut short.'
  const damage = itemStampDamage(value.subarray(headerBytes + stampLengthBytes + stampsIdBytes, jsonStart(value)))
  return damage && `Its stamp is damaged: ${damage}.`
}
