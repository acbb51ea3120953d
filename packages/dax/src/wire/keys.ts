import { canonicalNumber, setAttribute, validationException, type AttributeValue, type Item } from '@hashrange/core'
import { CborReader } from './cbor-reader.ts'
import { CborWriter } from './cbor-writer.ts'
import { decodeLexicalDecimal, encodeLexicalDecimal } from './lexical-decimal.ts'

/** The key attributes of a table: the partition key, then the sort key if there is one. */
export interface KeyAttribute {
  readonly name: string
  readonly type: 'S' | 'N' | 'B'
}

/** Keys are bytes of their own form: a key of one attribute is its value, one of two is the first in CBOR and the second as it is. */
export function readKey(bytes: Buffer, keys: readonly KeyAttribute[]): Item {
  const [partition, sort] = keys
  if (partition === undefined) throw new Error('a table has a partition key')
  const key: Record<string, AttributeValue> = {}
  if (sort === undefined) {
    setAttribute(key, partition.name, readOnly(bytes, partition.type))
    return key
  }
  const reader = new CborReader(bytes)
  setAttribute(key, partition.name, readFirst(reader, partition.type))
  setAttribute(key, sort.name, readLast(reader.rest(), sort.type))
  return key
}

function readOnly(bytes: Buffer, type: KeyAttribute['type']): AttributeValue {
  return type === 'N' ? readFirst(new CborReader(bytes), type) : readLast(bytes, type)
}

function readFirst(reader: CborReader, type: KeyAttribute['type']): AttributeValue {
  if (type === 'N') return { N: canonicalNumber(reader.number()) }
  return type === 'S' ? { S: reader.text() } : { B: reader.bytes().toString('base64') }
}

function readLast(bytes: Buffer, type: KeyAttribute['type']): AttributeValue {
  if (type === 'N') return { N: canonicalNumber(decodeLexicalDecimal(bytes)) }
  return type === 'S' ? { S: bytes.toString('utf8') } : { B: bytes.toString('base64') }
}

export function writeKey(item: Item, keys: readonly KeyAttribute[]): Buffer {
  const [partition, sort] = keys
  if (partition === undefined) throw new Error('a table has a partition key')
  if (sort === undefined) {
    return partition.type === 'N' ? writeFirst(item, partition) : lastBytes(textOf(item, partition), partition.type)
  }
  return Buffer.concat([writeFirst(item, partition), lastBytes(textOf(item, sort), sort.type)])
}

function writeFirst(item: Item, partition: KeyAttribute): Buffer {
  const writer = new CborWriter()
  const text = textOf(item, partition)
  if (partition.type === 'N') writer.number(text)
  else if (partition.type === 'S') writer.text(text)
  else writer.bytes(Buffer.from(text, 'base64'))
  return writer.take()
}

function lastBytes(text: string, type: KeyAttribute['type']): Buffer {
  if (type === 'N') return encodeLexicalDecimal(text)
  return Buffer.from(text, type === 'S' ? 'utf8' : 'base64')
}

function textOf(item: Item, { name, type }: KeyAttribute): string {
  const value = Object.hasOwn(item, name) ? (item[name] as Readonly<Record<string, unknown>>)[type] : undefined
  if (typeof value !== 'string') throw validationException('The provided key element does not match the schema')
  return value
}

/** Only the attributes of the key. */
export function keyOf(item: Item, keys: readonly KeyAttribute[]): Item {
  const key: Record<string, AttributeValue> = {}
  for (const { name } of keys) {
    const value = Object.hasOwn(item, name) ? item[name] : undefined
    if (value === undefined) throw validationException('One of the required keys was not given a value')
    setAttribute(key, name, value)
  }
  return key
}
