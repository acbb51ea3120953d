import { ServiceError, validationException } from '../errors.ts'
import { limits } from '../limits.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { attributeValueSizeBytes } from '../values/item-size.ts'
import { utf8Length } from '../values/utf8.ts'
import { readAttributeValueIn, type ValueWording } from '../values/value-wording.ts'
import { hashSetOrder } from './hash-set-order.ts'

const aliasPattern = /^#[0-9a-zA-Z_]+$/
const placeholderPattern = /^:[0-9a-zA-Z_]+$/

/** The ExpressionAttributeNames and ExpressionAttributeValues of one request. It tracks which of them all the
 *  request's expressions have used, because the service rejects unused ones. */
export class ExpressionScope {
  readonly #names: Readonly<Record<string, string>> | undefined
  readonly #values: ReadonlyMap<string, AttributeValue> | undefined
  readonly #usedNames = new Set<string>()
  readonly #usedValues = new Set<string>()

  /** `values` only need the right JSON types; they are validated here. */
  constructor(
    names: Readonly<Record<string, string>> | null | undefined,
    values: Readonly<Record<string, unknown>> | null | undefined,
    wording: ValueWording = 'write',
  ) {
    this.#names = names === undefined || names === null ? undefined : validNames(names)
    this.#values = values === undefined || values === null ? undefined : validValues(values, wording)
  }

  /** What `#alias` stands for. */
  name(alias: string): string | undefined {
    if (this.#names === undefined || !Object.hasOwn(this.#names, alias)) return undefined
    this.#usedNames.add(alias)
    return this.#names[alias]
  }

  /** What `:placeholder` stands for. */
  value(placeholder: string): AttributeValue | undefined {
    const value = this.#values?.get(placeholder)
    if (value !== undefined) this.#usedValues.add(placeholder)
    return value
  }

  /** Call this when all expressions are compiled. */
  assertAllUsed(): void {
    if (this.#names !== undefined) {
      assertUsed('ExpressionAttributeNames', Object.keys(this.#names), this.#usedNames)
    }
    if (this.#values !== undefined && this.#usedValues.size < this.#values.size) {
      assertUsed('ExpressionAttributeValues', [...this.#values.keys()], this.#usedValues)
    }
  }
}

/** A value of ExpressionAttributeValues that is rejected. Its `cause` says what is wrong with the value itself. */
export class InvalidExpressionValue extends ServiceError {
  override readonly cause: ServiceError

  constructor(cause: ServiceError, key: string) {
    super(
      'ValidationException',
      `ExpressionAttributeValues contains invalid value: ${cause.message} for key ${key}`,
    )
    this.cause = cause
  }
}

function assertUsed(member: string, keys: readonly string[], used: ReadonlySet<string>): void {
  if (used.size === keys.length) return
  const unused = keys.filter((key) => !used.has(key))
  throw validationException(
    `Value provided in ${member} unused in expressions: keys: {${hashSetOrder(unused, keys.length).join(', ')}}`,
  )
}

function validNames(names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const keys = Object.keys(names)
  if (keys.length === 0) throw validationException('ExpressionAttributeNames must not be empty')
  for (const key of keys) {
    assertKey('ExpressionAttributeNames', aliasPattern, key)
    const name = names[key]
    if (name === '' || name === undefined || name === null) {
      throw validationException(
        `ExpressionAttributeNames contains invalid value: Empty attribute name for key ${key}`,
      )
    }
    if (name.length * 3 > limits.attributeNameBytes && utf8Length(name) > limits.attributeNameBytes) {
      throw validationException(
        `ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than 65536 bytes for key ${key}`,
      )
    }
  }
  return names
}

function validValues(
  values: Readonly<Record<string, unknown>>,
  wording: ValueWording,
): ReadonlyMap<string, AttributeValue> {
  const keys = Object.keys(values)
  if (keys.length === 0) throw validationException('ExpressionAttributeValues must not be empty')
  for (const key of keys) assertKey('ExpressionAttributeValues', placeholderPattern, key)
  const valid = new Map<string, AttributeValue>()
  let sizeBytes = 0
  for (const key of keys) {
    const value = readValue(key, values[key], wording)
    sizeBytes += attributeValueSizeBytes(value)
    valid.set(key, value)
  }
  if (sizeBytes > limits.expressionValuesBytes) {
    throw validationException('ExpressionAttributeValues exceeds max size')
  }
  return valid
}

function assertKey(member: string, pattern: RegExp, key: string): void {
  if (key.length > limits.placeholderNameBytes) {
    throw validationException(
      `${member} contains invalid key: The expression attribute map contains a key that is too long; size of key: ${utf8Length(key)}`,
    )
  }
  if (!pattern.test(key)) throw validationException(`${member} contains invalid key: Syntax error; key: "${key}"`)
}

/** The older operations count the levels of a value from below the attribute it is compared with. The current ones do not
 *  say which value they refuse. */
function readValue(key: string, raw: unknown, wording: ValueWording): AttributeValue {
  try {
    return readAttributeValueIn(wording, raw, wording === 'older' ? 0 : 1)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'ValidationException' || wording === 'current')
      throw error
    throw new InvalidExpressionValue(error, key)
  }
}
