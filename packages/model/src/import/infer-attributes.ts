import type { AttributeDescription, DatePrecision, ValueDescription } from '../description.ts'
import { numberText, toBigInt } from '../schema/exact-number.ts'
import type { RawItem, RawValue } from './raw-model.ts'

/** The attributes that items have, with the narrowest type that fits all their values. */
export function inferAttributes(items: readonly RawItem[], skip: ReadonlySet<string>): AttributeDescription[] {
  const names = new Set(items.flatMap((item) => Object.keys(item)).filter((name) => !skip.has(name)))
  return [...names].map((name) => {
    const values = items.map((item) => item[name]).filter((value) => value !== undefined)
    return attribute(name, inferValue(name, values), values.length < items.length)
  })
}

export function attribute(name: string, value: ValueDescription, isOptional: boolean): AttributeDescription {
  return { name, ...value, isOptional, isReadOnly: false, isStored: true, hasDefault: false }
}

/** What is declared without data. */
export function declaredValue(storedAs = 'ANY'): ValueDescription {
  switch (storedAs) {
    case 'S':
      return { type: 'string', storedAs: 'S' }
    case 'N':
      return { type: 'number', storedAs: 'N' }
    case 'B':
      return { type: 'binary', storedAs: 'B' }
    case 'BOOL':
      return { type: 'boolean', storedAs: 'BOOL' }
    case 'SS':
      return { type: 'set', storedAs: 'SS', element: { type: 'string', storedAs: 'S' } }
    case 'NS':
      return { type: 'set', storedAs: 'NS', element: { type: 'number', storedAs: 'N' } }
    case 'BS':
      return { type: 'set', storedAs: 'BS', element: { type: 'binary', storedAs: 'B' } }
    default:
      return anything
  }
}

const anything: ValueDescription = { type: 'any', storedAs: 'ANY' }

function inferValue(name: string, values: readonly RawValue[]): ValueDescription {
  const types = new Set(values.map((value) => Object.keys(value)[0]))
  const [type] = types
  if (types.size !== 1 || type === undefined) return anything
  const contents = values.map((value) => value[type])
  switch (type) {
    case 'S':
      return inferString(contents.map(String))
    case 'N':
      return inferNumber(name, contents.map(String))
    case 'L':
      return { type: 'list', storedAs: 'L', element: inferValue(name, contents.flatMap(valuesIn)) }
    case 'M': {
      const maps = contents.map((content) => content as RawItem)
      return { type: 'map', storedAs: 'M', fields: inferAttributes(maps, new Set()) }
    }
    default:
      return declaredValue(type)
  }
}

function valuesIn(list: unknown): readonly RawValue[] {
  return Array.isArray(list) ? (list as readonly RawValue[]) : []
}

const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const dateForms: readonly (readonly [DatePrecision, RegExp])[] = [
  ['day', /^\d{4}-\d\d-\d\d$/],
  ['second', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  ['millisecond', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
]

function inferString(texts: readonly string[]): ValueDescription {
  if (texts.every((text) => ulid.test(text))) return { type: 'ulid', storedAs: 'S' }
  if (texts.every((text) => uuid.test(text))) return { type: 'uuid', storedAs: 'S' }
  const form = dateForms.find(([, pattern]) => texts.every((text) => pattern.test(text)))
  if (form !== undefined) return { type: 'iso', storedAs: 'S', precision: form[0] }
  return { type: 'string', storedAs: 'S' }
}

function inferNumber(name: string, texts: readonly string[]): ValueDescription {
  const numbers = texts.map(Number)
  // What JavaScript's numbers cannot hold.
  if (texts.some((text) => numberText(text) !== numberText(String(Number(text))))) {
    return texts.every((text) => toBigInt(text) !== undefined)
      ? { type: 'int', storedAs: 'N', readAs: 'bigint' }
      : { type: 'number', storedAs: 'N', readAs: 'string' }
  }
  const isSeconds = numbers.every((n) => Number.isInteger(n) && n > 1e9 && n < 1e11)
  if (isSeconds && /^(ttl|expires?|expiry|expires?_?at|expiration)$/i.test(name))
    return { type: 'ttl', storedAs: 'N' }
  return { type: numbers.every(Number.isSafeInteger) ? 'int' : 'number', storedAs: 'N' }
}
