import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { AttributeDescription, KeyPartDescription, KeyTemplateDescription } from '../description.ts'
import { mirroredDate, parsePadded } from './key-text.ts'

export type AttributeLookup = (name: string) => AttributeDescription | undefined

/** Reads the values of a template's holes back from a stored key; undefined if the key was not made by this template.
 *  What is only a part or an image of a value matches, but gives no value. */
export function matchKey(
  template: KeyTemplateDescription,
  stored: AttributeValue | undefined,
  attributeOf: AttributeLookup,
): ReadonlyMap<string, AttributeValue> | undefined {
  if (stored === undefined) return undefined
  const values = new Map<string, AttributeValue>()
  if (template.isNative) {
    const [part] = template.parts
    if (part?.kind === 'hole') values.set(part.attribute, stored)
    return values
  }
  const text = stored.S
  if (text === undefined) return undefined
  let position = 0
  for (let i = 0; i < template.parts.length; i++) {
    const part = template.parts[i]
    if (part === undefined) return undefined
    if (part.kind === 'literal') {
      if (!text.startsWith(part.text, position)) return undefined
      position += part.text.length
      continue
    }
    const attribute = attributeOf(part.attribute)
    const end = endOfHole(text, position, part, template.parts[i + 1], attribute)
    if (end === undefined || end <= position) return undefined
    const piece = text.slice(position, end)
    const value = readHole(part, piece, attribute)
    if (value === undefined) return undefined
    if (isExact(part, attribute)) values.set(part.attribute, value)
    position = end
  }
  return position === text.length ? values : undefined
}

type Hole = Extract<KeyPartDescription, { kind: 'hole' }>

/** Whether the key holds the value itself, not only a part or an image of it. */
export function isExact({ format }: Hole, attribute: AttributeDescription | undefined): boolean {
  if (format.kind === 'plain' || format.kind === 'padded') return true
  if (format.kind !== 'date') return false
  return (
    format.isDescending === true &&
    dateWidths[format.precision] >= dateWidths[attribute?.precision ?? 'millisecond']
  )
}

function endOfHole(
  text: string,
  from: number,
  hole: Hole,
  next: KeyPartDescription | undefined,
  attribute: AttributeDescription | undefined,
): number | undefined {
  if (next === undefined) return text.length
  if (next.kind === 'hole') {
    const width = fixedWidthOf(hole, attribute)
    return width === undefined ? undefined : from + width
  }
  const end = text.indexOf(next.text, from)
  return end === -1 ? undefined : end
}

const dateWidths = { year: 4, month: 7, day: 10, hour: 13, minute: 16, second: 19, millisecond: 23 }

/** How many characters a hole always takes; undefined if that depends on the value. */
export function fixedWidthOf(hole: Hole, attribute: AttributeDescription | undefined): number | undefined {
  if (hole.format.kind === 'padded') return hole.format.width
  if (hole.format.kind === 'date')
    return Math.min(dateWidths[hole.format.precision], dateWidths[attribute?.precision ?? 'millisecond'])
  if (hole.format.kind === 'hash') return 16
  if (hole.format.kind === 'case' || hole.format.kind === 'bucket') return undefined
  if (attribute?.type === 'ulid') return 26
  if (attribute?.type === 'uuid') return 36
  if (attribute?.type === 'iso') {
    const width = dateWidths[attribute.precision ?? 'millisecond']
    return width > 10 ? width + 1 : width
  }
  return undefined
}

function readHole(
  hole: Hole,
  piece: string,
  attribute: AttributeDescription | undefined,
): AttributeValue | undefined {
  if (hole.format.kind === 'padded') {
    const value = parsePadded(hole.format, piece)
    return value === undefined ? undefined : { N: String(value) }
  }
  const width = fixedWidthOf(hole, attribute)
  if (width !== undefined && piece.length !== width) return undefined
  if (hole.format.kind === 'hash') return /^[0-9a-f]+$/.test(piece) ? { S: piece } : undefined
  if (hole.format.kind === 'bucket') {
    const isOne = /^(0|[1-9]\d*)$/.test(piece) && Number(piece) < hole.format.count
    return isOne ? { N: piece } : undefined
  }
  if (hole.format.kind === 'case') {
    const isSo = piece === (hole.format.to === 'lower' ? piece.toLowerCase() : piece.toUpperCase())
    return isSo ? { S: piece } : undefined
  }
  if (hole.format.kind === 'date' && hole.format.isDescending === true) {
    const text = mirroredDate(piece)
    return /^\d{4}/.test(text) ? { S: text.length > 10 ? `${text}Z` : text } : undefined
  }
  if (attribute?.type === 'iso' && !/^\d{4}/.test(piece)) return undefined
  if (attribute?.type === 'enum' && attribute.values?.includes(piece) === false) return undefined
  if (attribute?.type === 'boolean') {
    return piece === 'true' || piece === 'false' ? { BOOL: piece === 'true' } : undefined
  }
  if (attribute?.storedAs === 'N') return Number.isNaN(Number(piece)) ? undefined : { N: piece }
  return { S: piece }
}
