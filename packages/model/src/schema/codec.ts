import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { ModelError, unreachable } from '../errors.ts'
import { decodeAny, encodeAny } from './any-value.ts'
import { applyValidator } from './apply-validator.ts'
import type { AttributeDefinition, ValueCodec } from './attribute.ts'
import type { Field } from './collection-codecs.ts'
import { listCodec, mapCodec, recordCodec, setCodec } from './collection-codecs.ts'
import {
  bigintCodec,
  binaryCodec,
  booleanCodec,
  decimalCodec,
  isoCodec,
  numberCodec,
  stringCodec,
  ttlCodec,
} from './scalar-codecs.ts'
import { unionCodec } from './union-codec.ts'
import { refusal } from './value-errors.ts'

/** Between a JavaScript value and what DynamoDB stores. */
export interface Codec {
  /** Checks and converts; `path` is for the error message. Undefined means "store nothing" (an empty set). */
  readonly encode: (value: unknown, path: string) => AttributeValue | undefined
  readonly decode: (stored: AttributeValue, path: string) => unknown
}

export function codecOf(definition: AttributeDefinition): Codec {
  const bare = bareCodecOf(definition)
  const codec = definition.codec === undefined ? bare : ownCodec(definition.codec, bare)
  const { validator, range } = definition
  if (validator === undefined && range === undefined) return codec
  return {
    decode: codec.decode,
    encode: (value, path) => {
      const isNumber = typeof value === 'number' || typeof value === 'bigint'
      if (range !== undefined && isNumber && (value < range.min || value > range.max)) {
        throw refusal(path, `a number from ${range.min} to ${range.max}`, value)
      }
      return codec.encode(validator === undefined ? value : applyValidator(validator, value, path), path)
    },
  }
}

/** The model's own functions, over the type that they convert to. */
function ownCodec(own: ValueCodec, bare: Codec): Codec {
  return {
    encode: (value, path) =>
      bare.encode(
        converted('INVALID_VALUE', path, () => own.encode(value as never)),
        path,
      ),
    decode: (stored, path) => {
      const plain = bare.decode(stored, path)
      return converted('INVALID_ITEM', path, () => own.decode(plain as never))
    },
  }
}

function converted(code: 'INVALID_VALUE' | 'INVALID_ITEM', path: string, convert: () => unknown): unknown {
  try {
    return convert()
  } catch (cause) {
    const verb = code === 'INVALID_VALUE' ? 'encode' : 'decode'
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new ModelError(code, `The codec of ${path} cannot ${verb} its value: ${message}`, {
      attribute: path,
      cause,
    })
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
      return definition.readAs === 'string' ? decimalCodec : numberCodec('a finite number', Number.isFinite)
    case 'int':
    case 'version':
      return definition.readAs === 'bigint' ? bigintCodec : numberCodec('a safe integer', Number.isSafeInteger)
    case 'shard': {
      // While there are fewer than before, items still have the others.
      const count = Math.max(definition.shard?.count ?? 0, definition.shardsBefore ?? 0)
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
      return definition.variants === undefined
        ? mapCodec(fieldsOf(definition.fields ?? {}))
        : unionCodec(definition.variants, fieldsOf)
    case 'set':
      return setCodec(definition, codecOf(definition.element ?? anyDefinition))
    case 'any':
      return { encode: encodeAny, decode: decodeAny }
    default:
      return unreachable(definition.type)
  }
}

function fieldsOf(fields: Readonly<Record<string, AttributeDefinition>>): readonly Field[] {
  return Object.entries(fields).map(([name, definition]) => ({ name, definition, codec: codecOf(definition) }))
}

const anyDefinition: AttributeDefinition = { type: 'any', storedAs: 'ANY' }
