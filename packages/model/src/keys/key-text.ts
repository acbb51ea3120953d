import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { KeyFormatDescription, KeyPartDescription } from '../description.ts'
import { ModelError, unreachable } from '../errors.ts'
import { truncateIsoDate } from '../schema/iso-date.ts'
import { hashOf } from './hash-of.ts'
import { shardOf } from './shard-of.ts'

export type StoredValue = (attribute: string) => AttributeValue | undefined

/** Fills the holes of a template. Undefined if a value is missing.
 *
 *  A value that contains the literal which follows its hole is refused: `A#B` in `{first}#{second}` would read back as
 *  another pair of values, and so could reach, or overwrite, someone else's item. It is refused rather than escaped, so
 *  that what is stored is what was written. */
export function keyText(parts: readonly KeyPartDescription[], valueOf: StoredValue): string | undefined {
  let text = ''
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]
    if (part === undefined) continue
    if (part.kind === 'literal') {
      text += part.text
      continue
    }
    const value = valueOf(part.attribute)
    if (value === undefined) return undefined
    const piece = holeText(part.attribute, part.format, value)
    const next = parts[i + 1]
    if (next?.kind === 'literal') assertNoSeparator(part.attribute, piece, next.text)
    text += piece
  }
  return text
}

/** How one value appears in a key. */
export function holeText(attribute: string, format: KeyFormatDescription, value: AttributeValue): string {
  switch (format.kind) {
    case 'plain':
      return plainText(attribute, value)
    case 'padded':
      return paddedText(attribute, format, Number(value.N))
    case 'date': {
      const text = truncateIsoDate(plainText(attribute, value).replace(/Z$/, ''), format.precision)
      return format.isDescending === true ? mirroredDate(text.replace(/Z$/, '')) : text.replace(/Z$/, '')
    }
    case 'case': {
      const text = plainText(attribute, value)
      return format.to === 'lower' ? text.toLowerCase() : text.toUpperCase()
    }
    case 'hash':
      return hashOf(plainText(attribute, value))
    case 'bucket':
      return String(shardOf(plainText(attribute, value), format.count))
    default:
      return unreachable(format)
  }
}

function plainText(attribute: string, value: AttributeValue): string {
  const text = value.S ?? value.N ?? (value.BOOL === undefined ? undefined : String(value.BOOL))
  if (text === undefined)
    throw invalidPart(attribute, 'cannot be part of a key: only strings, numbers and booleans can')
  if (text === '') throw invalidPart(attribute, 'is empty. An empty value cannot be part of a key')
  return text
}

type Padded = Extract<KeyFormatDescription, { kind: 'padded' }>

/** Each digit of a date as its distance to nine; twice, it is the date again. */
export function mirroredDate(text: string): string {
  return text.replaceAll(/\d/g, (digit) => String(9 - Number(digit)))
}

/** How many digits a padded number has, those after the point included. */
export function paddedDigits({ width, decimals, isSigned }: Padded): number {
  return width - (decimals === 0 ? 0 : 1) - (isSigned === true ? 1 : 0)
}

/** Scaled to a whole number first, so that 1.005 is not at the mercy of binary fractions. */
function paddedText(attribute: string, format: Padded, value: number): string {
  const { decimals, isDescending, isSigned = false } = format
  const digits = paddedDigits(format)
  const largest = 10 ** digits - 1
  const scaled = decimals === 0 ? value : Number((value * 10 ** decimals).toPrecision(15))
  if (!Number.isInteger(scaled)) {
    throw invalidPart(attribute, `is ${value}, but its key has ${decimals} decimals. Round it first`)
  }
  if (scaled < (isSigned ? -largest : 0) || scaled > largest) {
    const advice = scaled < 0 && !isSigned ? 'Give the padding of its key a sign' : 'Widen the padding of its key'
    throw invalidPart(
      attribute,
      `is ${value}, which does not fit in ${digits} digits, so it would sort in the wrong place. ${advice}`,
    )
  }
  const ordered = isSigned ? (isDescending ? -scaled : scaled) : isDescending ? largest - scaled : scaled
  const text = String(ordered < 0 ? largest + ordered : ordered).padStart(digits, '0')
  const sign = !isSigned ? '' : ordered < 0 ? '-' : '0'
  return sign + (decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`)
}

/** The number that `paddedText` wrote; undefined if it did not write this. */
export function parsePadded(format: Padded, text: string): number | undefined {
  const { width, decimals, isDescending, isSigned = false } = format
  const [, sign = '', rest] = (isSigned ? /^([-0])([\d.]+)$/ : /^()([\d.]+)$/).exec(text) ?? []
  if (
    rest === undefined ||
    text.length !== width ||
    rest.indexOf('.') !== (decimals === 0 ? -1 : rest.length - decimals - 1)
  )
    return undefined
  const largest = 10 ** paddedDigits(format) - 1
  const digits = Number(rest.replace('.', ''))
  const ordered = sign === '-' ? digits - largest : digits
  const scaled = !isDescending ? ordered : isSigned ? 0 - ordered : largest - ordered
  return scaled / 10 ** decimals
}

function assertNoSeparator(attribute: string, piece: string, separator: string): void {
  if ((piece + separator).indexOf(separator) === piece.length) return
  throw invalidPart(
    attribute,
    `is '${piece}', which contains '${separator}', the separator that follows it in its key. It would be read back as a different value. ` +
      `Encode the value before storing it, or choose another separator`,
  )
}

function invalidPart(attribute: string, fault: string): ModelError {
  return new ModelError('INVALID_KEY_PART', `${attribute} ${fault}.`, { attribute })
}
