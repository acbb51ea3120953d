import { unreachable } from '../errors.ts'
import { attributeOf, type AttributeValue, type Item } from './attribute-value.ts'
import { base64ByteLength } from './base64.ts'
import { utf8Length } from './utf8.ts'

/** What the service counts for a list or a map itself, and for each of its entries. */
const documentBytes = 3
const entryBytes = 1

/** The size of an item by the service's rules: it decides capacity, the page boundary and the 400 KB limit. */
export function itemSizeBytes(item: Item): number {
  let size = 0
  for (const name in item) {
    const value = attributeOf(item, name)
    if (value !== undefined) size += utf8Length(name) + attributeValueSizeBytes(value)
  }
  return size
}

/** The size of a validated value, without its attribute's name. */
export function attributeValueSizeBytes(value: AttributeValue): number {
  if ('S' in value) return utf8Length(value.S)
  if ('N' in value) return numberSizeBytes(value.N)
  if ('BOOL' in value) return 1
  if ('M' in value) return mapSizeBytes(value.M)
  if ('L' in value) return listSizeBytes(value.L)
  if ('B' in value) return base64ByteLength(value.B)
  if ('NULL' in value) return 1
  if ('SS' in value) return sumOf(value.SS, utf8Length)
  if ('NS' in value) return sumOf(value.NS, numberSizeBytes)
  if ('BS' in value) return sumOf(value.BS, base64ByteLength)
  return unreachable(value)
}

/** One byte, one for a sign, and one for each two digits on either side of the point; zeros that lead or trail the
 *  number as a whole do not count. */
export function numberSizeBytes(canonical: string): number {
  if (canonical === '0') return 1
  const sign = canonical.charCodeAt(0) === 0x2d ? 1 : 0
  const point = canonical.indexOf('.')
  if (point < 0) {
    let end = canonical.length
    while (canonical.charCodeAt(end - 1) === 0x30) end--
    return 1 + sign + halved(end - sign)
  }
  let fractionStart = point + 1
  if (canonical.charCodeAt(sign) !== 0x30) {
    return 1 + sign + halved(point - sign) + halved(canonical.length - fractionStart)
  }
  while (canonical.charCodeAt(fractionStart) === 0x30) fractionStart++
  return 1 + sign + halved(canonical.length - fractionStart)
}

function mapSizeBytes(entries: Item): number {
  let size = documentBytes
  for (const name in entries) {
    const value = attributeOf(entries, name)
    if (value !== undefined) size += entryBytes + utf8Length(name) + attributeValueSizeBytes(value)
  }
  return size
}

function listSizeBytes(elements: readonly AttributeValue[]): number {
  let size = documentBytes
  for (const element of elements) size += entryBytes + attributeValueSizeBytes(element)
  return size
}

function sumOf(members: readonly string[], sizeOf: (member: string) => number): number {
  let size = 0
  for (const member of members) size += sizeOf(member)
  return size
}

function halved(digits: number): number {
  return (digits + 1) >> 1
}
