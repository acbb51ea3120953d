import { serializationException, validationException } from '@hashrange/core'
import { isRecord } from './is-record.ts'
import { renderJson } from './render-value.ts'

/** SearchVectors reads its request with a stricter deserializer than other operations: it accepts no null for a
 *  member that is required, and names its types and places in its own way. Places are those in a request without
 *  spaces, which is what SDKs send. */
export function checkSearchBody(body: unknown): void {
  if (!isRecord(body) || Array.isArray(body)) return
  let column = 1
  for (const [name, value] of Object.entries(body)) {
    column += lengthOf(name) + 1 + lengthOf(value)
    const expected = Object.hasOwn(requiredTypes, name) ? requiredTypes[name] : undefined
    if (expected !== undefined && !expected.accepts(value)) {
      const problem = expected.name === 'i32' && Number.isSafeInteger(value) ? 'value' : 'type'
      throw serializationException(
        `invalid ${problem}: ${described(value)}, expected ${expected.name} at line 1 column ${column}`,
      )
    }
    column++
  }
  const missing = Object.keys(requiredTypes).find((name) => !Object.hasOwn(body, name))
  if (missing !== undefined) throw validationException(`missing field \`${missing}\` at line 1 column ${column}`)
}

interface RequiredType {
  readonly name: string
  readonly accepts: (value: unknown) => boolean
}

const text: RequiredType = { name: 'a string', accepts: (value) => typeof value === 'string' }

const requiredTypes: Readonly<Record<string, RequiredType>> = {
  TableName: text,
  IndexName: text,
  SearchVector: { name: 'a sequence', accepts: Array.isArray },
  TopK: { name: 'i32', accepts: (value) => Number.isInteger(value) && Math.trunc(Number(value) / 2 ** 31) === 0 },
}

function described(value: unknown): string {
  if (typeof value === 'string') return `string ${renderJson(value)}`
  if (typeof value === 'boolean') return `boolean \`${value}\``
  if (typeof value === 'number') {
    return `${Number.isSafeInteger(value) ? 'integer' : 'floating point'} \`${value}\``
  }
  return value === null ? 'null' : Array.isArray(value) ? 'sequence' : 'map'
}

function lengthOf(value: unknown): number {
  return Buffer.byteLength(renderJson(value))
}
