import type { AttributeValue } from '../api-types.ts'
import { jsString } from './string-literal.ts'

/** A value as the document client takes it. */
export function jsValue(value: AttributeValue): string {
  if ('S' in value) return jsString(value.S)
  if ('N' in value) return jsNumber(value.N)
  if ('BOOL' in value) return String(value.BOOL)
  if ('NULL' in value) return 'null'
  if ('B' in value) return jsBinary(value.B)
  if ('L' in value) return wrapped('[', value.L.map(jsValue), ']')
  if ('M' in value) {
    const entries = Object.entries(value.M)
    return wrapped(
      '{',
      entries.map(([name, member]) => `${jsKey(name)}: ${jsValue(member)}`),
      '}',
    )
  }
  const members =
    'SS' in value ? value.SS.map(jsString) : 'NS' in value ? value.NS.map(jsNumber) : value.BS.map(jsBinary)
  return `new Set(${wrapped('[', members, ']')})`
}

/** As a number where that keeps every digit. */
function jsNumber(digits: string): string {
  const number = Number(digits)
  const isExact = String(number) === digits && (!Number.isInteger(number) || Number.isSafeInteger(number))
  return isExact ? digits : `NumberValue.from(${jsString(digits)})`
}

function jsBinary(base64: string): string {
  return `Buffer.from(${jsString(base64)}, 'base64')`
}

/** In an object, `__proto__: x` is no member of that name. */
export function jsKey(name: string): string {
  if (name === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : jsString(name)
}

export function wrapped(open: string, parts: readonly string[], close: string): string {
  const isBrace = open === '{'
  const line =
    parts.length === 0
      ? open + close
      : `${open}${isBrace ? ' ' : ''}${parts.join(', ')}${isBrace ? ' ' : ''}${close}`
  if (line.length <= 62 && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `  ${indent(part)},`).join('\n')}\n${close}`
}

export function indent(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
