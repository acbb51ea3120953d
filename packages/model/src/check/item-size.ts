import type { AttributeValue } from '@aws-sdk/client-dynamodb'

export type StoredItem = Record<string, AttributeValue>

/** Bytes of an item as DynamoDB counts them: names and values. */
export function itemSizeBytes(item: StoredItem): number {
  let size = 0
  for (const [name, value] of Object.entries(item)) size += utf8Bytes(name) + valueSizeBytes(value)
  return size
}

/** DynamoDB's nesting limit bounds the recursion. */
function valueSizeBytes(value: AttributeValue): number {
  if (value.S !== undefined) return utf8Bytes(value.S)
  if (value.N !== undefined) return numberSizeBytes(value.N)
  if (value.B !== undefined) return value.B.length
  if (value.SS !== undefined) return sum(value.SS.map((text) => utf8Bytes(text)))
  if (value.NS !== undefined) return sum(value.NS.map(numberSizeBytes))
  if (value.BS !== undefined) return sum(value.BS.map((bytes) => bytes.length))
  if (value.L !== undefined) return 3 + sum(value.L.map((entry) => 1 + valueSizeBytes(entry)))
  if (value.M !== undefined) {
    return 3 + sum(Object.entries(value.M).map(([key, entry]) => utf8Bytes(key) + 1 + valueSizeBytes(entry)))
  }
  return 1
}

function numberSizeBytes(text: string): number {
  const [mantissa = '0', exponent = '0'] = text.toLowerCase().replace(/^[-+]/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  if (digits === '' || /^0*$/.test(digits)) return 1
  const significant = digits.replace(/0+$/, '').length
  // The point splits the digits into pairs on either side of it.
  const wholeDigits = whole.replace(/^0+/, '').length + Number(exponent)
  const before = Math.max(0, Math.min(significant, wholeDigits))
  const after = significant - before
  return 1 + Math.ceil(before / 2) + Math.ceil(after / 2) + (text.startsWith('-') ? 1 : 0)
}

const encoder = new TextEncoder()

function utf8Bytes(text: string): number {
  return encoder.encode(text).length
}

function sum(numbers: readonly number[]): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
