import type { KeyTemplateDescription } from '../description.ts'
import { checkTemplateText } from '../keys/check-template-text.ts'
import { parseTemplate } from '../keys/parse-template.ts'
import { camelCase } from '../export/source-text.ts'
import type { RawItem } from './raw-model.ts'

/** How a key attribute seems to be made. */
export interface InferredTemplate {
  readonly text: string
  /** The attributes that it names and no item has: the key is the only place where they stand. */
  readonly missing: readonly string[]
}

const separators = ['#', '|', '/', ':']

/** The template of a composed string key, from the values it has; `undefined` if it is best taken as it is. Parts that are the same in
 *  all are literals, parts that equal an attribute are that attribute. */
export function inferTemplate(
  key: string,
  items: readonly RawItem[],
  keyAttributes: ReadonlySet<string>,
): InferredTemplate | undefined {
  const texts = items.map((item) => textIn(item, key))
  if (texts.length === 0 || texts.includes(undefined)) return undefined
  const values = texts.filter((text) => text !== undefined)
  const separator = separatorIn(values, holeFor(values, items, keyAttributes))
  const rows = values.map((value) => (separator === '' ? [value] : value.split(separator)))
  const length = Math.min(...rows.map((row) => row.length))
  const columns = Array.from({ length }, (_, i) =>
    // Where some have more parts than others, the last column takes what is left.
    rows.map((row) => (i === length - 1 ? row.slice(i).join(separator) : (row[i] ?? ''))),
  )
  const missing: string[] = []
  const present = new Set(items.flatMap((item) => Object.keys(item)))
  const parts = columns.map((column, i) => {
    if (isLiteral(column)) return column[0] ?? ''
    const whole = holeFor(column, items, keyAttributes)
    if (whole !== undefined) return whole
    // `artist_metallica`: a name, a sign, and a value.
    const labels = labelsOf(column)
    for (const label of labels) {
      const rest = column.map((each) => each.slice(label.length))
      const hole = holeFor(rest, items, keyAttributes)
      if (hole !== undefined) return label + hole
    }
    const [label = ''] = labels
    const before = columns[i - 1]
    const isTaken = (wanted: string): boolean => present.has(wanted) || missing.includes(wanted)
    const literal =
      label !== ''
        ? label.replaceAll(/\W|_$/g, '')
        : before !== undefined && isLiteral(before)
          ? before[0]
          : undefined
    const name = nameAfter(literal, key, i, isTaken)
    missing.push(name)
    return `${label}{${name}}`
  })
  // A single value that is nothing but itself needs no template.
  if (parts.length === 1 && missing.length === 1) return undefined
  return isTemplate(parts) ? { text: parts.join(separator), missing } : undefined
}

/** A value that is an attribute, or a date, is not taken apart. */
function separatorIn(values: readonly string[], whole: string | undefined): string {
  if (whole !== undefined || values.every((value) => /^\d{4}-\d\d((-\d\d|T)[^#|/]*)?$/.test(value))) return ''
  return separators.find((each) => values.every((value) => value.includes(each))) ?? ''
}

/** The template that an alias is, or describes: `CUSTOMER#{customerId}`, `USER#<userId>`, `USER#${userId}`, `ORDER#orderId`. */
export function templateOfAlias(alias: string | undefined): string | undefined {
  if (alias === undefined) return undefined
  if (/\{[^{}]+\}/.test(alias) && !alias.includes('${')) return isTemplate([alias]) ? alias : undefined
  const braced = alias.replaceAll(
    /\$\{([^{}]+)\}|<([^<>]+)>/g,
    (_, a: string | undefined, b: string | undefined) => `{${camelCase(a ?? b ?? '')}}`,
  )
  if (braced !== alias) return isTemplate([braced]) ? braced : undefined
  if (!alias.includes('#')) return /^[A-Z][A-Z_]+$/.test(alias) && !/^[PS]K$/.test(alias) ? alias : undefined
  const parts = alias.split('#').map((part) => (/^[A-Z0-9_]*$/.test(part) ? part : `{${camelCase(part)}}`))
  return isTemplate(parts) ? parts.join('#') : undefined
}

function isTemplate(parts: readonly string[]): boolean {
  try {
    checkTemplateText(parts.join(''))
    return true
  } catch {
    return false
  }
}

/** The same in several items, or a word in capitals. */
function isLiteral(column: readonly string[]): boolean {
  const [first = ''] = column
  if (/[{}]/.test(first) || isId(first) || column.some((each) => each !== first)) return false
  return column.length > 1 ? !/\d{3}/.test(first) : /^([A-Z][A-Z_]*|\$[a-z]\w*)$/.test(first)
}

/** A ULID or a UUID: if all samples have the same one, that is chance. */
function isId(text: string): boolean {
  return /^([0-7][0-9A-HJKMNP-TV-Z]{25}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(text)
}

/** What all values begin with, up to one sign or another, shortest first: `user_`, `user_a-`. */
function labelsOf(column: readonly string[]): readonly string[] {
  const [first = ''] = column
  let length = 0
  while (length < first.length - 1 && column.every((each) => each[length] === first[length])) length++
  return [...first.slice(0, length).matchAll(/[_=$@~.-]/g)].map(({ index }) => first.slice(0, index + 1))
}

/** What a placeholder can make of text, and how it is written. */
const formats: readonly (readonly [string, (text: string) => string | undefined])[] = [
  ['lower', (text) => text.toLowerCase()],
  ['upper', (text) => text.toUpperCase()],
  ...(['year', 'month', 'day', 'hour', 'minute', 'second'] as const).map(
    (precision, i) =>
      [precision, (text: string) => (isDate(text) ? text.slice(0, [4, 7, 10, 13, 16, 19][i]) : undefined)] as const,
  ),
  ['desc', (text) => (isDate(text) ? text.replaceAll(/\d/g, (digit) => String(9 - Number(digit))) : undefined)],
]

function isDate(text: string): boolean {
  return /^\d{4}-\d\d(-\d\d(T[\d:.]+Z?)?)?$/.test(text)
}

function holeFor(
  column: readonly string[],
  items: readonly RawItem[],
  keyAttributes: ReadonlySet<string>,
): string | undefined {
  const names = Object.keys(items[0] ?? {}).filter((name) => !keyAttributes.has(name) && !/[{}:]/.test(name))
  const whole = names.find((name) => items.every((item, i) => textIn(item, name) === column[i]))
  // A time in milliseconds has as many digits as any other, and sorts as text as it does as a number.
  const digits = column[0]?.length ?? 0
  const isTime =
    digits >= 10 && digits <= 15 && column.every((each) => each.length === digits && /^\d+$/.test(each))
  if (whole !== undefined && isTime && items.every((item) => item[whole]?.['N'] !== undefined))
    return `{${whole}:0${digits}}`
  if (whole !== undefined) return `{${whole}}`
  for (const [format, changed] of formats) {
    const same = names.find((name) =>
      items.every(
        (item, i) => typeof item[name]?.['S'] === 'string' && changed(textIn(item, name) ?? '') === column[i],
      ),
    )
    if (same !== undefined) return `{${same}:${format}}`
  }
  const [first = ''] = column
  const width = first.length
  if (width > 15 || !column.every((each) => each.length === width && /^\d+$/.test(each))) return undefined
  const padded = names.find((name) =>
    items.every(
      (item, i) => typeof item[name]?.['N'] === 'string' && Number(item[name]['N']) === Number(column[i]),
    ),
  )
  return padded === undefined ? undefined : `{${padded}:0${width}}`
}

/** `CUSTOMER` gives `customerId`. */
function nameAfter(
  literal: string | undefined,
  key: string,
  i: number,
  isTaken: (name: string) => boolean,
): string {
  const words = literal === undefined || literal === '' ? `${key} part ${i + 1}` : `${literal.toLowerCase()} id`
  const wanted = camelCase(words)
  let name = wanted
  for (let n = 2; isTaken(name); n++) name = `${wanted}${n}`
  return name
}

/** Strings and numbers as a key shows them. */
export function textIn(item: RawItem, name: string): string | undefined {
  const { S, N } = item[name] ?? {}
  if (typeof S === 'string') return S
  return typeof N === 'string' ? N : undefined
}

export function describedTemplate(attribute: string, text: string): KeyTemplateDescription {
  return { attribute, storedAs: 'S', text, parts: parseTemplate(text), isNative: text === `{${attribute}}` }
}
