import type { AttributeValue } from '../api-types.ts'
import { quotedString } from './string-literal.ts'

/** A value as the resource takes it. */
export function pythonValue(value: AttributeValue): string {
  if ('S' in value) return quotedString(value.S)
  if ('N' in value) return pythonNumber(value.N)
  if ('BOOL' in value) return value.BOOL ? 'True' : 'False'
  if ('NULL' in value) return 'None'
  if ('B' in value) return pythonBinary(value.B)
  if ('L' in value) return `[${value.L.map(pythonValue).join(', ')}]`
  if ('M' in value) {
    const entries = Object.entries(value.M).map(([name, member]) => `${quotedString(name)}: ${pythonValue(member)}`)
    return `{${entries.join(', ')}}`
  }
  const members =
    'SS' in value
      ? value.SS.map(quotedString)
      : 'NS' in value
        ? value.NS.map(pythonNumber)
        : value.BS.map(pythonBinary)
  return `{${members.join(', ')}}`
}

/** Python's integers have any number of digits; boto3 takes other numbers as Decimal alone. */
function pythonNumber(digits: string): string {
  return /^-?\d+$/.test(digits) ? digits : `Decimal(${quotedString(digits)})`
}

function pythonBinary(base64: string): string {
  return `base64.b64decode(${quotedString(base64)})`
}

export function braced(open: string, parts: readonly string[], close: string): string {
  const line = `${open}${parts.join(', ')}${close}`
  return line.length <= 60 ? line : `${open}\n${parts.map((part) => `    ${part},`).join('\n')}\n${close}`
}
