import { attributeOf, type AttributeType } from '@hashrange/core'
import type { AttributeValue, Item } from '../../../api-types.ts'
import { fromPlainJson, toPlainJson } from '../../../values/item-json.ts'
import { TextMistake } from '../../../values/json-text.ts'

/** Turns what was typed into a value of a type. Throws a `TextMistake` with a message for the user. */
export function parseValue(text: string, type: AttributeType): AttributeValue {
  switch (type) {
    case 'S':
      return { S: text }
    case 'NULL':
      return { NULL: true }
    case 'BOOL': {
      const word = text.trim().toLowerCase()
      if (word !== 'true' && word !== 'false') throw new TextMistake('A Boolean must be true or false.', 0)
      return { BOOL: word === 'true' }
    }
    case 'N': {
      const digits = text.trim()
      if (!/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(digits)) {
        throw new TextMistake(digits === '' ? 'Enter a number.' : `"${digits.slice(0, 40)}" is not a number.`, 0)
      }
      return { N: digits }
    }
    case 'B':
      return fromJson(JSON.stringify(text.trim()), type)
    case 'M':
    case 'L':
    case 'SS':
    case 'NS':
    case 'BS':
      return fromJson(text, type)
  }
}

/** A value as it would be typed. */
export function typedText(value: AttributeValue): string {
  if ('S' in value) return value.S
  if ('N' in value) return value.N
  if ('B' in value) return value.B
  if ('BOOL' in value) return String(value.BOOL)
  if ('NULL' in value) return ''
  const [, json = ''] = /^\{\s*"v": ([^]*)\n?\}$/.exec(toPlainJson({ v: value })) ?? []
  return json.replaceAll(/\s*\n\s*/g, ' ').trim()
}

/** The values of IN: with commas in between, or as a list of JSON where they contain some. */
export function parseValues(text: string, type: AttributeType): AttributeValue[] {
  const parts = text.trim().startsWith('[') ? jsonTexts(text) : text.split(',').map((part) => part.trim())
  const given = parts.filter((part) => part !== '')
  if (given.length === 0) throw new TextMistake('Enter one value, or several separated by commas.', 0)
  return given.map((part) => parseValue(part, type))
}

function jsonTexts(text: string): string[] {
  const list = fromJson(text, 'L')
  return 'L' in list ? list.L.map(typedText) : []
}

const guides: Readonly<Record<string, AttributeValue>> = {
  SS: { SS: ['x'] },
  NS: { NS: ['1'] },
  BS: { BS: ['AA=='] },
  B: { B: 'AA==' },
}

/** By way of an item that has the value. */
function fromJson(text: string, type: AttributeType): AttributeValue {
  const guide = guides[type]
  const item: Item = fromPlainJson(`{"v": ${text.trim() === '' ? 'null' : text} }`, guide && { v: guide })
  const value = attributeOf(item, 'v')
  if (value !== undefined && type in value) return value
  throw new TextMistake(expectations[type] ?? `This is not a value of type ${type}.`, 0)
}

const expectations: Readonly<Record<string, string>> = {
  B: 'Write binary as base64, such as AQID.',
  M: 'Write a map as a JSON object, such as {"city": "Rome"}.',
  L: 'Write a list as a JSON array, such as ["a", 1].',
  SS: 'Write a string set as a JSON array, such as ["a", "b"].',
  NS: 'Write a number set as a JSON array, such as [1, 2].',
  BS: 'Write a binary set as a JSON array of base64 values, such as ["AQ==", "Ag=="].',
}
