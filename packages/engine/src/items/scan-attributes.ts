import { setAttribute, type AttributeValue, type Item } from '@hashrange/core'

/** Attributes to look for in the JSON of items. */
export interface WantedAttributes {
  readonly names: readonly string[]
  /** The names as they stand in JSON, without their quotes. */
  readonly inJson: readonly Buffer[]
}

export function wantedAttributes(names: Iterable<string>): WantedAttributes {
  const distinct = [...new Set(names)]
  return { names: distinct, inJson: distinct.map((name) => Buffer.from(JSON.stringify(name).slice(1, -1))) }
}

/** What was found. */
export interface ScannedAttributes {
  readonly item: Item
  /** How many bytes of the JSON had to be read to find all that is wanted; undefined if the item does not have all. */
  readonly lengthBytes: number | undefined
}

/** Reads a few attributes of an item from its JSON: a write often needs the attributes of keys alone, and to parse the
 *  whole item takes several times as long. Attributes that the item does not have are left out. The others keep their
 *  order. Undefined if the JSON is not as JSON.stringify writes it. */
export function scanAttributes(
  json: Buffer,
  start: number,
  wanted: WantedAttributes,
): ScannedAttributes | undefined {
  const found: Record<string, AttributeValue> = {}
  let left = wanted.names.length
  let at = start
  if (json[at] !== opening) return undefined
  while (left > 0) {
    // An opening brace or a comma is behind us.
    at++
    if (json[at] === closing && at === start + 1) return { item: found, lengthBytes: undefined }
    if (json[at] !== quote) return undefined
    const nameEnd = endOfString(json, at)
    const valueAt = nameEnd + 1
    if (json[nameEnd] !== colon || json[valueAt] !== opening) return undefined
    const valueEnd = endOfValue(json, valueAt)
    if (valueEnd < 0) return undefined
    const name = nameBetween(json, at + 1, nameEnd - 1, wanted)
    if (name !== undefined) {
      setAttribute(found, name, valueBetween(json, valueAt, valueEnd))
      left--
    }
    at = valueEnd
    if (left === 0) break
    if (json[at] === closing) return { item: found, lengthBytes: undefined }
    if (json[at] !== comma) return undefined
  }
  return { item: found, lengthBytes: at - start }
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const comma = 0x2c
const opening = 0x7b
const openingList = 0x5b
const closing = 0x7d
const closingList = 0x5d

function nameBetween(
  json: Buffer,
  from: number,
  to: number,
  { names, inJson }: WantedAttributes,
): string | undefined {
  const length = to - from
  for (let index = 0; index < inJson.length; index++) {
    const name = inJson[index]
    if (name?.length === length && hasAt(json, from, name)) return names[index]
  }
  return undefined
}

function hasAt(json: Buffer, from: number, name: Buffer): boolean {
  for (let index = 0; index < name.length; index++) if (json[from + index] !== name[index]) return false
  return true
}

/** The position after the string that begins at `at`; -1 if it does not end. */
function endOfString(json: Buffer, at: number): number {
  for (let index = at + 1; index < json.length; index++) {
    const byte = json[index]
    if (byte === quote) return index + 1
    if (byte === backslash) index++
  }
  return -1
}

/** The position after the value that begins at `at`, an object, as every attribute is; -1 if it does not end. */
function endOfValue(json: Buffer, at: number): number {
  let depth = 0
  for (let index = at; index < json.length; index++) {
    const byte = json[index]
    if (byte === quote) {
      index = endOfString(json, index) - 1
      if (index < 0) return -1
    } else if (byte === opening || byte === openingList) depth++
    else if (byte === closing || byte === closingList) {
      depth--
      if (depth === 0) return index + 1
    }
  }
  return -1
}

/** `{"S":"…"}`: keys are strings, numbers and binaries, and most have no escapes. */
function valueBetween(json: Buffer, from: number, to: number): AttributeValue {
  if (json[from + 3] === quote && json[from + 5] === quote) {
    const textStart = from + 6
    const textEnd = to - 2
    if (!hasEscape(json, textStart, textEnd)) {
      const text = json.toString('utf8', textStart, textEnd)
      const type = json[from + 2]
      if (type === 0x53) return { S: text }
      if (type === 0x4e) return { N: text }
      if (type === 0x42) return { B: text }
    }
  }
  return JSON.parse(json.toString('utf8', from, to)) as AttributeValue
}

function hasEscape(json: Buffer, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (json[index] === backslash) return true
  return false
}
