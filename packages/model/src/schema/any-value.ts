import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { ModelError } from '../errors.ts'
import { exactNumber } from './exact-number.ts'

/** DynamoDB's nesting limit, which also bounds the recursion here. */
const maxDepth = 32

/** Encodes by the value's own type, for attributes that may be anything. */
export function encodeAny(value: unknown, path: string, depth = 0): AttributeValue | undefined {
  if (depth > maxDepth) throw new ModelError('INVALID_VALUE', `${path} is nested deeper than ${maxDepth} levels.`)
  if (value === undefined) return undefined
  if (value === null) return { NULL: true }
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'boolean') return { BOOL: value }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new ModelError('INVALID_VALUE', `${path} must be a finite number.`)
    return { N: String(value) }
  }
  if (value instanceof Uint8Array) return { B: value }
  if (value instanceof Set) return encodeSet([...value], path)
  if (Array.isArray(value)) {
    return { L: value.map((entry, i) => encodeAny(entry, `${path}[${i}]`, depth + 1) ?? { NULL: true }) }
  }
  if (typeof value === 'bigint' || value instanceof Date) {
    const [kind, type] = value instanceof Date ? ['Date', 's.date()'] : ['bigint', 's.bigint()']
    throw new ModelError(
      'INVALID_VALUE',
      `${path} is a ${kind}, which would be read back as something else. Declare it with ${type}, or use s.codec().`,
    )
  }
  if (typeof value === 'object') return { M: encodeMap(value, path, depth) }
  throw new ModelError('INVALID_VALUE', `${path} is a ${typeof value}, which DynamoDB cannot store.`)
}

function encodeMap(value: object, path: string, depth: number): Record<string, AttributeValue> {
  const encoded: [string, AttributeValue][] = []
  for (const [name, entry] of Object.entries(value)) {
    const stored = encodeAny(entry, `${path}.${name}`, depth + 1)
    if (stored !== undefined) encoded.push([name, stored])
  }
  return Object.fromEntries(encoded)
}

function encodeSet(values: unknown[], path: string): AttributeValue | undefined {
  if (values.length === 0) return undefined
  if (values.every((value) => typeof value === 'string')) return { SS: values }
  if (values.every((value) => typeof value === 'number')) return { NS: values.map(String) }
  if (values.every((value) => value instanceof Uint8Array)) return { BS: values }
  throw new ModelError(
    'INVALID_VALUE',
    `${path} is a set of mixed types. A set can hold only strings, only numbers or only binary values.`,
  )
}

export function decodeAny(stored: AttributeValue, path: string): unknown {
  if (stored.S !== undefined) return stored.S
  if (stored.N !== undefined) return exactNumber(stored.N, path)
  if (stored.BOOL !== undefined) return stored.BOOL
  if (stored.NULL !== undefined) return null
  if (stored.M !== undefined) {
    return Object.fromEntries(
      Object.entries(stored.M).map(([name, entry]) => [name, decodeAny(entry, `${path}.${name}`)]),
    )
  }
  if (stored.L !== undefined) return stored.L.map((entry, i) => decodeAny(entry, `${path}[${i}]`))
  if (stored.SS !== undefined) return new Set(stored.SS)
  if (stored.NS !== undefined) return new Set(stored.NS.map((text) => exactNumber(text, path)))
  if (stored.BS !== undefined) return new Set(stored.BS)
  return stored.B
}
