import type { DatePrecision, KeyFormatDescription, KeyPartDescription } from '../description.ts'
import { ModelError } from '../errors.ts'

const datePrecisions: readonly string[] = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond']

/** `'LINE#{n:04}'` as its parts. */
export function parseTemplate(text: string): readonly KeyPartDescription[] {
  const parts: KeyPartDescription[] = []
  let position = 0
  while (position < text.length) {
    const open = text.indexOf('{', position)
    const literal = open === -1 ? text.slice(position) : text.slice(position, open)
    if (literal.includes('}')) throw invalid(text, 'has a } without a {')
    if (literal !== '') parts.push({ kind: 'literal', text: literal })
    if (open === -1) break
    const close = text.indexOf('}', open)
    if (close === -1) throw invalid(text, 'has a { without a }')
    parts.push(parseHole(text, text.slice(open + 1, close)))
    position = close + 1
  }
  if (parts.length === 0) throw invalid(text, 'is empty')
  return parts
}

function parseHole(text: string, hole: string): KeyPartDescription {
  const [attribute = '', ...words] = hole.split(':')
  if (attribute === '' || attribute.includes('{'))
    throw invalid(text, `has a placeholder without a name, {${hole}}`)
  return { kind: 'hole', attribute, format: parseFormat(text, hole, words) }
}

function parseFormat(text: string, hole: string, words: readonly string[]): KeyFormatDescription {
  const [first, second, ...more] = words
  if (first === undefined) return { kind: 'plain' }
  const isDescending = words.at(-1) === 'desc'
  if (isDescending && words.length === 1) return { kind: 'date', precision: 'millisecond', isDescending }
  if (isDatePrecision(first) && words.length === (isDescending ? 2 : 1))
    return { kind: 'date', precision: first, ...(isDescending && { isDescending }) }
  if ((first === 'lower' || first === 'upper') && second === undefined) return { kind: 'case', to: first }
  if (first === 'hash' && second === undefined) return { kind: 'hash' }
  if (first === 'bucket' && more.length === 0 && /^[1-9]\d{0,4}$/.test(second ?? ''))
    return { kind: 'bucket', count: Number(second) }
  const padding = /^(\+?)0(\d{1,2})(?:\.(\d{1,2}))?$/.exec(first)
  if (padding === null || more.length > 0 || (second !== undefined && second !== 'desc')) {
    throw invalid(
      text,
      `has an unknown format, {${hole}}. The formats are {n:05}, {n:09.2}, {n:+05} and {n:05:desc} for numbers, {date:day}, ` +
        '{date:desc} and {date:day:desc} for dates, and {text:lower}, {text:upper}, {text:hash} and {text:bucket:16}',
    )
  }
  const isSigned = padding[1] === '+'
  const width = Number(padding[2])
  const decimals = Number(padding[3] ?? 0)
  // Beyond 15 digits a JavaScript number is not exact, so neither would be its padding.
  if (width < 1 || width > 16 || (decimals > 0 && decimals > width - 2) || digitsOf(width, decimals) > 15) {
    throw invalid(text, `has too wide a padding, {${hole}}. At most 15 digits are exact`)
  }
  return {
    kind: 'padded',
    width: isSigned ? width + 1 : width,
    decimals,
    isDescending,
    ...(isSigned && { isSigned }),
  }
}

function digitsOf(width: number, decimals: number): number {
  return decimals === 0 ? width : width - 1
}

function isDatePrecision(word: string): word is DatePrecision {
  return datePrecisions.includes(word)
}

function invalid(text: string, fault: string): ModelError {
  return new ModelError('INVALID_TEMPLATE', `The key template '${text}' ${fault}.`)
}
