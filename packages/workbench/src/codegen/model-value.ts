import type { AttributeDescription, ValueDescription } from '@hashrange/model'
import type { AttributeValue } from '../api-types.ts'
import { jsKey, jsValue, wrapped } from './javascript-values.ts'
import { jsString } from './string-literal.ts'

/** Why something cannot be written with the model's client, for whoever wants to. */
export class NoModelCode extends Error {
  override readonly name = 'NoModelCode'
}

/** A stored value as the model's client takes it: by the type that the attribute has in the model. */
export function modelValue(value: AttributeValue, described: ValueDescription | undefined, name: string): string {
  if (described?.readAs === 'codec') {
    throw new NoModelCode(`Values of ${name} are made by functions of the model, which this page does not run.`)
  }
  const each = (element: AttributeValue): string => modelValue(element, described?.element, name)
  if ('N' in value) return modelNumber(value.N, described, name)
  if ('SS' in value) return set(value.SS.map((text) => each({ S: text })))
  if ('NS' in value) return set(value.NS.map((digits) => each({ N: digits })))
  if ('BS' in value) return set(value.BS.map((base64) => each({ B: base64 })))
  if ('L' in value) return wrapped('[', value.L.map(each), ']')
  if ('M' in value) {
    const entries = Object.entries(value.M).map(([stored, member]) => {
      const field = attributeStoredAs(described?.fields ?? [], stored)
      const inner = modelValue(member, field ?? described?.element, `${name}.${stored}`)
      return `${jsKey(field?.name ?? stored)}: ${inner}`
    })
    return wrapped('{', entries, '}')
  }
  return jsValue(value)
}

/** What the model calls an attribute of the table. */
export function attributeStoredAs(
  attributes: readonly AttributeDescription[],
  stored: string,
): AttributeDescription | undefined {
  return attributes.find(({ name, storedName = name, readNames }) => {
    return storedName === stored || readNames?.includes(stored) === true
  })
}

function set(members: readonly string[]): string {
  return `new Set(${wrapped('[', members, ']')})`
}

function modelNumber(digits: string, described: ValueDescription | undefined, name: string): string {
  if (described?.readAs === 'string') return jsString(digits)
  if (described?.readAs === 'bigint' && /^-?\d+$/.test(digits)) return `${digits}n`
  const code = jsValue({ N: digits })
  if (code === digits) return digits
  const number = Number(digits)
  // Another way to write the same number: 1.0, 1e3.
  if (Number.isSafeInteger(number) && /^[-+]?\d+(\.0*)?$/.test(digits)) return String(number)
  throw new NoModelCode(
    `${name} is ${digits.slice(0, 60)}, which a JavaScript number cannot hold exactly. ` +
      'Make the attribute s.bigint() or s.decimal() in the model.',
  )
}
