import { unreachable, type AttributeValue, type Item } from '@hashrange/core'

/** An item as a line of an Ion export has it: text, after the marker of Ion's version. */
export function ionItemLine(item: Item): string {
  return `$ion_1_0 {Item:${ionStruct(item)}}\n`
}

/** A change, as a line of an incremental export has it. */
export function ionChangeLine(change: {
  readonly keys: Item
  readonly writtenAtMicros: number
  readonly oldImage: Item | undefined
  readonly newImage: Item | undefined
}): string {
  const { keys, writtenAtMicros, oldImage, newImage } = change
  const parts = [`Keys:${ionStruct(keys)}`, `Metadata:{WriteTimestampMicros:${writtenAtMicros}.}`]
  if (oldImage !== undefined) parts.push(`OldImage:${ionStruct(oldImage)}`)
  if (newImage !== undefined) parts.push(`NewImage:${ionStruct(newImage)}`)
  return `$ion_1_0 {Record:{${parts.join(',')}}}\n`
}

function ionStruct(item: Item): string {
  const fields: string[] = []
  for (const name of Object.keys(item)) {
    const value = item[name]
    if (value !== undefined) fields.push(`${ionSymbol(name)}:${ionValue(value)}`)
  }
  return `{${fields.join(',')}}`
}

/** Recursion is bounded: no stored value is nested beyond the service's 32 levels. */
function ionValue(value: AttributeValue): string {
  if ('S' in value) return ionString(value.S)
  if ('N' in value) return ionDecimal(value.N)
  if ('B' in value) return ionBlob(value.B)
  if ('BOOL' in value) return value.BOOL ? 'true' : 'false'
  if ('NULL' in value) return 'null'
  if ('M' in value) return ionStruct(value.M)
  if ('L' in value) return `[${value.L.map(ionValue).join(',')}]`
  // Ion has no sets: an annotation tells them from lists.
  if ('SS' in value) return `$dynamodb_SS::[${value.SS.map(ionString).join(',')}]`
  if ('NS' in value) return `$dynamodb_NS::[${value.NS.map(ionDecimal).join(',')}]`
  if ('BS' in value) return `$dynamodb_BS::[${value.BS.map(ionBlob).join(',')}]`
  return unreachable(value)
}

/** Zeros at the end of a whole number go into the exponent, as in the service: `600` is `6d2`, `103` is `103.`. */
function ionDecimal(canonical: string): string {
  if (canonical.includes('.')) return canonical
  let end = canonical.length
  while (end > 1 && canonical.charCodeAt(end - 1) === 0x30) end--
  const zeros = canonical.length - end
  return zeros === 0 ? `${canonical}.` : `${canonical.slice(0, end)}d${zeros}`
}

function ionBlob(base64: string): string {
  return `{{${base64}}}`
}

function ionString(text: string): string {
  return `"${escapeIon(text, '"')}"`
}

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/
/** These would be read as something else: `$10` as the tenth symbol of a table. */
const reserved = /^(?:null|true|false|nan|\$\d+|\$ion_.*)$/

function ionSymbol(name: string): string {
  return identifier.test(name) && !reserved.test(name) ? name : `'${escapeIon(name, "'")}'`
}

// oxlint-disable-next-line no-control-regex
const mustEscape = /["'\\\u0000-\u001f\u007f]/

function escapeIon(text: string, quote: string): string {
  if (!mustEscape.test(text)) return text
  let escaped = ''
  for (const character of text) {
    const code = character.charCodeAt(0)
    if (character === quote || character === '\\') escaped += `\\${character}`
    else if (code < 0x20 || code === 0x7f) escaped += `\\x${code.toString(16).padStart(2, '0')}`
    else escaped += character
  }
  return escaped
}
