import type { DatePrecision, KeyFormatDescription, KeyPartDescription } from '../description.ts'

const datePrecisions: readonly string[] = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond']

/** `'LINE#{n:04}'` as its parts. That it is a template, checkTemplateText says. */
export function parseTemplate(text: string): readonly KeyPartDescription[] {
  const parts: KeyPartDescription[] = []
  for (const [i, piece] of text.split(/\{([^{}]*)\}/).entries()) {
    if (i % 2 === 1) {
      const [attribute = '', ...words] = piece.split(':')
      parts.push({ kind: 'hole', attribute, format: parseFormat(words) ?? { kind: 'plain' } })
    } else if (piece !== '') parts.push({ kind: 'literal', text: piece })
  }
  return parts
}

/** The words after the name of a placeholder; undefined if there is no such format. */
export function parseFormat(words: readonly string[]): KeyFormatDescription | undefined {
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
  if (padding === null || more.length > 0 || (second !== undefined && second !== 'desc')) return undefined
  const isSigned = padding[1] === '+'
  return {
    kind: 'padded',
    width: Number(padding[2]) + Number(isSigned),
    decimals: Number(padding[3] ?? 0),
    isDescending,
    ...(isSigned && { isSigned }),
  }
}

function isDatePrecision(word: string): word is DatePrecision {
  return datePrecisions.includes(word)
}
