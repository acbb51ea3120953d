import { canonicalNumber, setAttribute, type AttributeValue, type Item } from '@hashrange/core'
import type { CborReader } from './cbor-reader.ts'
import type { CborWriter } from './cbor-writer.ts'

const stringSet = 3321
const numberSet = 3322
const binarySet = 3323

/** An attribute value in DAX's form: CBOR's own types, and tags for sets. */
export function readAttributeValue(reader: CborReader): AttributeValue {
  switch (reader.major) {
    case 0:
    case 1:
      return readNumber(reader)
    case 2:
      return { B: reader.bytes().toString('base64') }
    case 3:
      return { S: reader.text() }
    case 4: {
      const values: AttributeValue[] = []
      reader.list(() => values.push(readAttributeValue(reader)))
      return { L: values }
    }
    case 5: {
      const members: Record<string, AttributeValue> = {}
      reader.map(() => setAttribute(members, reader.text(), readAttributeValue(reader)))
      return { M: members }
    }
    case 6:
      return readTagged(reader)
    default:
      return readSimple(reader)
  }
}

/** What is kept in a cache is not read by the engine first, which would make it canonical. */
function readNumber(reader: CborReader): AttributeValue {
  return { N: canonicalNumber(reader.number()) }
}

function readTagged(reader: CborReader): AttributeValue {
  const tagged = reader.peekTag()
  if (tagged !== stringSet && tagged !== numberSet && tagged !== binarySet) return readNumber(reader)
  reader.tag()
  const members: string[] = []
  if (tagged === stringSet) reader.list(() => members.push(reader.text()))
  else if (tagged === numberSet) reader.list(() => members.push(canonicalNumber(reader.number())))
  else reader.list(() => members.push(reader.bytes().toString('base64')))
  if (tagged === stringSet) return { SS: members }
  return tagged === numberSet ? { NS: members } : { BS: members }
}

function readSimple(reader: CborReader): AttributeValue {
  if (reader.takeNull()) return { NULL: true }
  if (reader.isFloat) return readNumber(reader)
  return { BOOL: reader.boolean() }
}

/** `value` is in DynamoDB's canonical form. */
export function writeAttributeValue(writer: CborWriter, value: AttributeValue): void {
  if ('S' in value) writer.text(value.S)
  else if ('N' in value) writer.number(value.N)
  else if ('B' in value) writer.bytes(Buffer.from(value.B, 'base64'))
  else if ('BOOL' in value) writer.boolean(value.BOOL)
  else if ('NULL' in value) writer.null()
  else if ('L' in value) {
    writer.list(value.L.length)
    for (const element of value.L) writeAttributeValue(writer, element)
  } else if ('M' in value) {
    writeMembers(writer, value.M)
  } else if ('SS' in value) {
    writer.tag(stringSet).list(value.SS.length)
    for (const element of value.SS) writer.text(element)
  } else if ('NS' in value) {
    writer.tag(numberSet).list(value.NS.length)
    for (const element of value.NS) writer.number(element)
  } else {
    writer.tag(binarySet).list(value.BS.length)
    for (const element of value.BS) writer.bytes(Buffer.from(element, 'base64'))
  }
}

function writeMembers(writer: CborWriter, members: Item): void {
  const entries = Object.entries(members)
  writer.map(entries.length)
  for (const [name, member] of entries) {
    writer.text(name)
    writeAttributeValue(writer, member)
  }
}
