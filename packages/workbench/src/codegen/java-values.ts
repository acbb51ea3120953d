import type { AttributeValue } from '../api-types.ts'
import { quotedString } from './string-literal.ts'

export function javaValue(value: AttributeValue): string {
  if ('S' in value) return `AttributeValue.fromS(${quotedString(value.S)})`
  if ('N' in value) return `AttributeValue.fromN(${quotedString(value.N)})`
  if ('BOOL' in value) return `AttributeValue.fromBool(${String(value.BOOL)})`
  if ('NULL' in value) return 'AttributeValue.fromNul(true)'
  if ('B' in value) return `AttributeValue.fromB(${javaBytes(value.B)})`
  if ('L' in value) return `AttributeValue.fromL(${listOf(value.L.map(javaValue))})`
  if ('M' in value) {
    const entries = Object.entries(value.M).map(
      ([name, member]) => [quotedString(name), javaValue(member)] as const,
    )
    return `AttributeValue.fromM(${mapOf(entries)})`
  }
  if ('SS' in value) return `AttributeValue.fromSs(${listOf(value.SS.map(quotedString))})`
  if ('NS' in value) return `AttributeValue.fromNs(${listOf(value.NS.map(quotedString))})`
  return `AttributeValue.fromBs(${listOf(value.BS.map(javaBytes))})`
}

function javaBytes(base64: string): string {
  return `SdkBytes.fromByteArray(Base64.getDecoder().decode(${quotedString(base64)}))`
}

/** `Map.of` takes ten entries. */
export function mapOf(entries: readonly (readonly [string, string])[]): string {
  if (entries.length > 10) {
    return `Map.ofEntries(\n${entries.map(([key, value]) => `                Map.entry(${key}, ${value})`).join(',\n')})`
  }
  const line = `Map.of(${entries.map(([key, value]) => `${key}, ${value}`).join(', ')})`
  if (line.length <= 80) return line
  return `Map.of(\n${entries.map(([key, value]) => `                ${key}, ${value}`).join(',\n')})`
}

export function listOf(elements: readonly string[]): string {
  const line = `List.of(${elements.join(', ')})`
  if (line.length <= 80) return line
  return `List.of(\n${elements.map((element) => `                ${element}`).join(',\n')})`
}
