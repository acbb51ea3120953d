import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { ModelError } from '../errors.ts'
import type { AttributeDefinition } from './attribute.ts'
import type { Codec } from './codec.ts'
import { absentValue, mismatch, refusal } from './value-errors.ts'

export function listCodec(element: Codec): Codec {
  return {
    encode: (value, path) => {
      if (!Array.isArray(value)) throw refusal(path, 'an array', value)
      return { L: value.map((entry, i) => element.encode(entry, `${path}[${i}]`) ?? { NULL: true }) }
    },
    decode: (stored, path) =>
      (stored.L ?? mismatch(path, 'L', stored)).map((entry, i) => element.decode(entry, `${path}[${i}]`)),
  }
}

export function recordCodec(element: Codec): Codec {
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

export interface Field {
  readonly name: string
  readonly definition: AttributeDefinition
  readonly codec: Codec
}

export function mapCodec(fields: readonly Field[]): Codec {
  const known = new Set(fields.map(({ name }) => name))
  return {
    encode: (value, path) => {
      if (!isPlainObject(value)) throw refusal(path, 'an object', value)
      const unknown = Object.keys(value).find((name) => !known.has(name))
      if (unknown !== undefined) throw refusal(path, `an object with the fields ${[...known].join(', ')}`, value)
      const encoded: [string, AttributeValue][] = []
      for (const { name, definition, codec } of fields) {
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
      for (const field of fields) {
        const { name, codec } = field
        const entry = Object.hasOwn(map, name) ? map[name] : undefined
        const value =
          entry === undefined ? readAbsent(field, `${path}.${name}`) : codec.decode(entry, `${path}.${name}`)
        if (value !== undefined) decoded.push([name, value])
      }
      return Object.fromEntries(decoded)
    },
  }
}

/** What an item that lacks the attribute is read as having: its default, as if it had been stored and read. */
export function readAbsent({ definition, codec }: Field, path: string): unknown {
  if (definition.type === 'set' && definition.isOptional !== true) return new Set()
  const given = plainDefault(definition)
  const stored = given === undefined ? undefined : codec.encode(given, path)
  if (stored !== undefined) return codec.decode(stored, path)
  if (definition.isOptional === true) return undefined
  throw absentValue(path)
}

/** A default that is the same for all items. What depends on the time or on chance was never this item's. */
function plainDefault({ default: given }: AttributeDefinition): unknown {
  if (typeof given?.value !== 'function') return given?.value
  return given.value.length === 0 ? (given.value as () => unknown)() : undefined
}

export function setCodec({ storedAs }: AttributeDefinition, element: Codec): Codec {
  return {
    encode: (value, path) => {
      if (!isIterable(value) || typeof value === 'string') throw refusal(path, 'a Set or an array', value)
      const encoded = [...new Set(value)].map((entry) => element.encode(entry, path))
      if (encoded.length === 0) return undefined
      // Once more each once: what differs as an object may be stored as the same text.
      if (storedAs === 'SS') return { SS: [...new Set(encoded.map((entry) => entry?.S ?? ''))] }
      if (storedAs === 'NS') return { NS: [...new Set(encoded.map((entry) => entry?.N ?? '0'))] }
      return { BS: encoded.map((entry) => entry?.B ?? new Uint8Array()) }
    },
    decode: (stored, path) => {
      if (stored.SS !== undefined) return new Set(stored.SS.map((S) => element.decode({ S }, path)))
      if (stored.NS !== undefined) return new Set(stored.NS.map((N) => element.decode({ N }, path)))
      if (stored.BS !== undefined) return new Set(stored.BS.map((B) => element.decode({ B }, path)))
      return mismatch(path, storedAs, stored)
    },
  }
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}
