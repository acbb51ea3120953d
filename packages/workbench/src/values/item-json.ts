import {
  attributeOf,
  base64Defect,
  readAttributeValue,
  ServiceError,
  setAttribute,
  type AttributeValue,
  type Item,
} from '@hashrange/core'
import { parseJsonText, TextMistake, type JsonNode } from './json-text.ts'

/** An item as DynamoDB JSON, every value with its type. */
export function toDynamoDbJson(item: Item): string {
  return JSON.stringify(item, undefined, 2)
}

/** Reads DynamoDB JSON. Throws a `TextMistake` that says what is wrong and where, in the service's words if they are its. */
export function fromDynamoDbJson(text: string): Item {
  const root = parseJsonText(text)
  return itemOf(root, (node) => {
    try {
      return readAttributeValue(plainOf(node))
    } catch (error) {
      throw error instanceof ServiceError ? new TextMistake(error.message, node.start, node.end) : error
    }
  })
}

/** An item as plain JSON. Numbers keep all their digits; sets look like lists and binary like strings of base64, which is
 *  why reading it back takes the item it came from. */
export function toPlainJson(item: Item): string {
  return writePlain({ M: item }, '')
}

/** Reads plain JSON. `guide` is the item as it was: where it has a set or binary, a list or a string is one again. */
export function fromPlainJson(text: string, guide?: Item): Item {
  const root = parseJsonText(text)
  return itemOf(root, (node, name) => valueOf(node, guide === undefined ? undefined : attributeOf(guide, name)))
}

function itemOf(root: JsonNode, read: (node: JsonNode, name: string) => AttributeValue): Item {
  if (root.kind !== 'object')
    throw new TextMistake('An item must be an object: { "name": value, … }', root.start, root.end)
  const item: Record<string, AttributeValue> = {}
  for (const { name, value, nameStart, nameEnd } of root.members) {
    if (name === '') throw new TextMistake('Empty attribute name', nameStart, nameEnd)
    setAttribute(item, name, read(value, name))
  }
  return item
}

/** What `JSON.parse` would have made of it. */
function plainOf(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object': {
      const object: Record<string, unknown> = {}
      for (const { name, value } of node.members) {
        Object.defineProperty(object, name, {
          value: plainOf(value),
          enumerable: true,
          configurable: true,
          writable: true,
        })
      }
      return object
    }
    case 'array':
      return node.elements.map(plainOf)
    case 'string':
    case 'boolean':
      return node.value
    case 'number':
      return Number(node.digits)
    case 'null':
      return null
  }
}

function valueOf(node: JsonNode, guide: AttributeValue | undefined): AttributeValue {
  const value = unchecked(node, guide)
  if (node.kind === 'object' || (node.kind === 'array' && 'L' in value)) return value
  try {
    return readAttributeValue(value)
  } catch (error) {
    throw error instanceof ServiceError ? new TextMistake(error.message, node.start, node.end) : error
  }
}

function unchecked(node: JsonNode, guide: AttributeValue | undefined): AttributeValue {
  switch (node.kind) {
    case 'object': {
      const entries: Record<string, AttributeValue> = {}
      const entryGuide = guide !== undefined && 'M' in guide ? guide.M : {}
      for (const { name, value } of node.members)
        setAttribute(entries, name, valueOf(value, attributeOf(entryGuide, name)))
      return { M: entries }
    }
    case 'array': {
      const set = setOf(node.elements, guide)
      if (set !== undefined) return set
      const elementGuide = guide !== undefined && 'L' in guide ? guide.L : []
      return { L: node.elements.map((element, position) => valueOf(element, elementGuide[position])) }
    }
    case 'string':
      return guide !== undefined && 'B' in guide && base64Defect(node.value) === undefined
        ? { B: node.value }
        : { S: node.value }
    case 'number':
      return { N: node.digits }
    case 'boolean':
      return { BOOL: node.value }
    case 'null':
      return { NULL: true }
  }
}

function setOf(elements: readonly JsonNode[], guide: AttributeValue | undefined): AttributeValue | undefined {
  if (guide === undefined || elements.length === 0) return undefined
  const strings = elements.flatMap((element) => (element.kind === 'string' ? [element.value] : []))
  if (strings.length === elements.length) {
    if ('SS' in guide) return { SS: strings }
    if ('BS' in guide && strings.every((member) => base64Defect(member) === undefined)) return { BS: strings }
  }
  const numbers = elements.flatMap((element) => (element.kind === 'number' ? [element.digits] : []))
  return 'NS' in guide && numbers.length === elements.length ? { NS: numbers } : undefined
}

function writePlain(value: AttributeValue, indent: string): string {
  if ('N' in value) return value.N
  if ('S' in value) return JSON.stringify(value.S)
  if ('B' in value) return JSON.stringify(value.B)
  if ('BOOL' in value) return String(value.BOOL)
  if ('NULL' in value) return 'null'
  if ('SS' in value)
    return writeList(
      value.SS.map((member) => JSON.stringify(member)),
      indent,
    )
  if ('NS' in value) return writeList(value.NS, indent)
  if ('BS' in value)
    return writeList(
      value.BS.map((member) => JSON.stringify(member)),
      indent,
    )
  const inner = `${indent}  `
  if ('L' in value)
    return writeList(
      value.L.map((element) => writePlain(element, inner)),
      indent,
    )
  const members = Object.entries(value.M).map(
    ([name, member]) => `${JSON.stringify(name)}: ${writePlain(member, inner)}`,
  )
  return members.length === 0 ? '{}' : `{\n${inner}${members.join(`,\n${inner}`)}\n${indent}}`
}

function writeList(elements: readonly string[], indent: string): string {
  if (elements.length === 0) return '[]'
  const inner = `${indent}  `
  return `[\n${inner}${elements.join(`,\n${inner}`)}\n${indent}]`
}
