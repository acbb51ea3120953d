import { itemSizeBytes, type Item } from '@hashrange/core'
import { itemStampDamage } from '../stamps/item-stamp.ts'
import type { Value } from '../store/store.ts'
import { RawJson } from '../wire/raw-json.ts'
import { scanAttributes, type ScannedAttributes, type WantedAttributes } from './scan-attributes.ts'

/** Bytes before the item's JSON: the format, and the item's size by the service's rules. In a replica of a global table,
 *  the stamp follows before the JSON: its length (2 bytes), which includes the identifier of the replica's stamps (4
 *  bytes), and the stamp. ON DISK. */
const headerBytes = 5
const format = 1
const stampedFormat = 2
const stampLengthBytes = 2
const stampsIdBytes = 4
const stampStart = headerBytes + stampLengthBytes + stampsIdBytes

export { headerBytes as storedHeaderBytes }

/** An item as stored: its size is known without parsing it, and its JSON is already the wire format. */
export class StoredItem {
  readonly value: Value
  #item: Item | undefined
  /** What was read of it without parsing the rest. */
  #some: SomeAttributes | undefined

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
    const jsonAt = stampStart + stamp.length
    const value = Buffer.allocUnsafe(jsonAt + json.length)
    value[0] = stampedFormat
    value.writeUInt32BE(this.sizeBytes, 1)
    value.writeUInt16BE(stampsIdBytes + stamp.length, headerBytes)
    value.writeUInt32BE(stampsId, headerBytes + stampLengthBytes)
    value.set(stamp, stampStart)
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
    const scanned = scanAttributes(this.value, jsonStart(this.value), wanted)
    if (scanned === undefined) return this.item
    this.#some = { wanted, ...scanned }
    return scanned.item
  }

  /** The same, for an item that often begins like another: then they have been found already. */
  attributesAfter(wanted: WantedAttributes, other: StoredItem): Item {
    const known = other.#some
    if (this.#item === undefined && this.#some === undefined && known?.wanted === wanted) {
      if (this.#beginsLike(other, known.lengthBytes)) this.#some = known
    }
    return this.attributes(wanted)
  }

  #beginsLike({ value }: StoredItem, lengthBytes: number | undefined): boolean {
    if (lengthBytes === undefined) return false
    const [own, others] = [jsonStart(this.value), jsonStart(value)]
    if (own + lengthBytes > this.value.length) return false
    return this.value.compare(value, others, others + lengthBytes, own, own + lengthBytes) === 0
  }
}

interface SomeAttributes extends ScannedAttributes {
  readonly wanted: WantedAttributes
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
  return hasStampInside(value, stampsId) ? value.subarray(stampStart, jsonStart(value)) : undefined
}

export function hasStampInside(value: Value, stampsId: number): boolean {
  return value[0] === stampedFormat && value.readUInt32BE(stampStart - stampsIdBytes) === stampsId
}

/** Why the header of an item is not valid; undefined if it is. */
export function storedHeaderDamage(value: Value): string | undefined {
  if (value.length <= headerBytes) return 'It is cut short.'
  if (value[0] === format) return undefined
  if (value[0] !== stampedFormat) return `It has the format ${value[0]}, which is unknown.`
  if (value.length <= headerBytes + stampLengthBytes || value.length <= jsonStart(value)) return 'It is cut short.'
  if (value.readUInt16BE(headerBytes) < stampsIdBytes) return 'Its stamp is cut short.'
  const damage = itemStampDamage(value.subarray(stampStart, jsonStart(value)))
  return damage && `Its stamp is damaged: ${damage}.`
}
