import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { ModelError, unreachable } from '../errors.ts'
import type { AttributeDefinition } from './attribute.ts'
import { decodeAny, encodeAny } from './any-value.ts'
import { toIsoDate } from './iso-date.ts'
import { applyValidator } from './apply-validator.ts'

/** Between a JavaScript value and what DynamoDB stores. */
export interface Codec {
  /** Checks and converts; `path` is for the message of a refusal. Undefined stands for "store nothing" (an empty set). */
  readonly encode: (value: unknown, path: string) => AttributeValue | undefined
  readonly decode: (stored: AttributeValue, path: string) => unknown
}

export function codecOf(definition: AttributeDefinition): Codec {
  const codec = bareCodecOf(definition)
  const { validator, range } = definition
  if (validator === undefined && range === undefined) return codec
  return {
    decode: codec.decode,
    encode: (value, path) => {
      if (range !== undefined && typeof value === 'number' && (value < range.min || value > range.max)) {
        throw refusal(path, `a number from ${range.min} to ${range.max}`, value)
      }
      return codec.encode(validator === undefined ? value : applyValidator(validator, value, path), path)
    },
  }
}

const ulidPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function bareCodecOf(definition: AttributeDefinition): Codec {
  switch (definition.type) {
    case 'string':
      return stringCodec('a string', () => true)
    case 'ulid':
      return stringCodec('a ULID (26 characters, upper case)', (text) => ulidPattern.test(text))
    case 'uuid':
      return stringCodec('a UUID', (text) => uuidPattern.test(text))
    case 'enum': {
      const values = new Set(definition.values)
      return stringCodec(`one of ${[...values].join(', ')}`, (text) => values.has(text))
    }
    case 'iso':
      return isoCodec(definition)
    case 'number':
      return numberCodec('a finite number', Number.isFinite)
    case 'int':
    case 'version':
      return numberCodec('a safe integer', Number.isSafeInteger)
    case 'shard': {
      const count = definition.shard?.count ?? 0
      return numberCodec(
        `a whole number from 0 to ${count - 1}`,
        (value) => Number.isInteger(value) && value >= 0 && value < count,
      )
    }
    case 'ttl':
      return ttlCodec
    case 'boolean':
      return booleanCodec
    case 'binary':
      return binaryCodec
    case 'list':
      return listCodec(codecOf(definition.element ?? anyDefinition))
    case 'record':
      return recordCodec(codecOf(definition.element ?? anyDefinition))
    case 'map':
      return mapCodec(definition.fields ?? {})
    case 'set':
      return setCodec(definition, codecOf(definition.element ?? anyDefinition))
    case 'any':
      return { encode: encodeAny, decode: decodeAny }
    default:
      return unreachable(definition.type)
  }
}

const anyDefinition: AttributeDefinition = { type: 'any', storedAs: 'ANY' }

function stringCodec(expected: string, accepts: (text: string) => boolean): Codec {
  return {
    encode: (value, path) => {
      if (typeof value !== 'string' || !accepts(value)) throw refusal(path, expected, value)
      return { S: value }
    },
    decode: (stored, path) => stored.S ?? mismatch(path, 'S', stored),
  }
}

function isoCodec({ precision = 'millisecond' }: AttributeDefinition): Codec {
  return {
    encode: (value, path) => {
      const text = typeof value === 'string' || value instanceof Date ? toIsoDate(value, precision) : undefined
      if (text === undefined) throw refusal(path, 'an ISO 8601 date or a Date', value)
      return { S: text }
    },
    decode: (stored, path) => stored.S ?? mismatch(path, 'S', stored),
  }
}

function numberCodec(expected: string, accepts: (value: number) => boolean): Codec {
  return {
    encode: (value, path) => {
      if (typeof value !== 'number' || !accepts(value)) throw refusal(path, expected, value)
      return { N: String(value) }
    },
    decode: (stored, path) => (stored.N === undefined ? mismatch(path, 'N', stored) : Number(stored.N)),
  }
}

const ttlCodec: Codec = {
  encode: (value, path) => {
    const seconds = value instanceof Date ? Math.floor(value.getTime() / 1000) : value
    if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds)) {
      throw refusal(path, 'whole seconds since 1970 or a Date', value)
    }
    // The service ignores what is more than five years past, so milliseconds would never expire.
    if (seconds > 100_000_000_000) throw refusal(path, 'seconds since 1970, not milliseconds', value)
    return { N: String(seconds) }
  },
  decode: (stored, path) => (stored.N === undefined ? mismatch(path, 'N', stored) : Number(stored.N)),
}

const booleanCodec: Codec = {
  encode: (value, path) => {
    if (typeof value !== 'boolean') throw refusal(path, 'true or false', value)
    return { BOOL: value }
  },
  decode: (stored, path) => stored.BOOL ?? mismatch(path, 'BOOL', stored),
}

const binaryCodec: Codec = {
  encode: (value, path) => {
    if (!(value instanceof Uint8Array)) throw refusal(path, 'a Uint8Array', value)
    return { B: value }
  },
  decode: (stored, path) => stored.B ?? mismatch(path, 'B', stored),
}

function listCodec(element: Codec): Codec {
  return {
    encode: (value, path) => {
      if (!Array.isArray(value)) throw refusal(path, 'an array', value)
      return { L: value.map((entry, i) => element.encode(entry, `${path}[${i}]`) ?? { NULL: true }) }
    },
    decode: (stored, path) =>
      (stored.L ?? mismatch(path, 'L', stored)).map((entry, i) => element.decode(entry, `${path}[${i}]`)),
  }
}

function recordCodec(element: Codec): Codec {
  return {
    encode: (value, path) => {
      if (!isPlainObject(value)) throw refusal(path, 'an object', value)
      const entries = Object.entries(value).filter(([, entry]) => entry !== undefined)
      return {
        M: Object.fromEntries(
          entries.map(([name, entry]) => [name, element.encode(entry, `${path}.${name}`) ?? { NULL: true }]),
        ),
      }
    },
    decode: (stored, path) =>
      Object.fromEntries(
        Object.entries(stored.M ?? mismatch(path, 'M', stored)).map(([name, entry]) => [
          name,
          element.decode(entry, `${path}.${name}`),
        ]),
      ),
  }
}

function mapCodec(fields: Readonly<Record<string, AttributeDefinition>>): Codec {
  const compiled = Object.entries(fields).map(([name, definition]) => ({
    name,
    definition,
    codec: codecOf(definition),
  }))
  const known = new Set(compiled.map(({ name }) => name))
  return {
    encode: (value, path) => {
      if (!isPlainObject(value)) throw refusal(path, 'an object', value)
      const unknown = Object.keys(value).find((name) => !known.has(name))
      if (unknown !== undefined) throw refusal(path, `an object with the fields ${[...known].join(', ')}`, value)
      const encoded: [string, AttributeValue][] = []
      for (const { name, definition, codec } of compiled) {
        const given = value[name] ?? plainDefault(definition)
        if (given === undefined && definition.isOptional !== true && definition.type !== 'set') {
          throw new ModelError('MISSING_VALUE', `${path}.${name} is missing. Give it a value, or make it optional.`)
        }
        const stored = given === undefined ? undefined : codec.encode(given, `${path}.${name}`)
        if (stored !== undefined) encoded.push([name, stored])
      }
      return { M: Object.fromEntries(encoded) }
    },
    decode: (stored, path) => {
      const map = stored.M ?? mismatch(path, 'M', stored)
      const decoded: [string, unknown][] = []
      for (const { name, definition, codec } of compiled) {
        const entry = Object.hasOwn(map, name) ? map[name] : undefined
        if (entry !== undefined) decoded.push([name, codec.decode(entry, `${path}.${name}`)])
        else if (definition.type === 'set') decoded.push([name, new Set()])
      }
      return Object.fromEntries(decoded)
    },
  }
}

function setCodec(definition: AttributeDefinition, element: Codec): Codec {
  const storedAs = definition.storedAs
  return {
    encode: (value, path) => {
      if (!isIterable(value) || typeof value === 'string') throw refusal(path, 'a Set or an array', value)
      const encoded = [...new Set(value)].map((entry) => element.encode(entry, path))
      if (encoded.length === 0) return undefined
      if (storedAs === 'SS') return { SS: encoded.map((entry) => entry?.S ?? '') }
      if (storedAs === 'NS') return { NS: encoded.map((entry) => entry?.N ?? '0') }
      return { BS: encoded.map((entry) => entry?.B ?? new Uint8Array()) }
    },
    decode: (stored, path) => {
      if (stored.SS !== undefined) return new Set(stored.SS)
      if (stored.NS !== undefined) return new Set(stored.NS.map(Number))
      if (stored.BS !== undefined) return new Set(stored.BS)
      return mismatch(path, storedAs, stored)
    },
  }
}

/** Defaults of nested fields are plain values; only those of an item may depend on the clock. */
function plainDefault(definition: AttributeDefinition): unknown {
  const value = definition.default?.value
  return typeof value === 'function' ? undefined : value
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

function refusal(path: string, expected: string, value: unknown): ModelError {
  return new ModelError('INVALID_VALUE', `${path} must be ${expected}, not ${shown(value)}.`, { attribute: path })
}

export function shown(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (typeof value === 'function' || typeof value === 'symbol') return typeof value
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Uint8Array) return `${value.length} bytes`
  let text: string
  try {
    text = JSON.stringify(value)
  } catch {
    text = Object.prototype.toString.call(value)
  }
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

function mismatch(path: string, expected: string, stored: AttributeValue): never {
  throw new ModelError(
    'INVALID_ITEM',
    `${path} is stored as ${Object.keys(stored).join()}, but the model declares ${expected}. Correct the model, or migrate the item.`,
    { attribute: path },
  )
}
