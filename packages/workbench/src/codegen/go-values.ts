import type { AttributeValue } from '../api-types.ts'
import { quotedString } from './string-literal.ts'

export function goValue(value: AttributeValue): string {
  const member = (type: string, text: string): string => `&types.AttributeValueMember${type}{Value: ${text}}`
  if ('S' in value) return member('S', quotedString(value.S))
  if ('N' in value) return member('N', quotedString(value.N))
  if ('BOOL' in value) return member('BOOL', String(value.BOOL))
  if ('NULL' in value) return member('NULL', 'true')
  if ('B' in value) return member('B', `binary(${quotedString(value.B)})`)
  if ('SS' in value) return member('SS', `[]string{${value.SS.map(quotedString).join(', ')}}`)
  if ('NS' in value) return member('NS', `[]string{${value.NS.map(quotedString).join(', ')}}`)
  if ('BS' in value) {
    return member('BS', `[][]byte{${value.BS.map((bytes) => `binary(${quotedString(bytes)})`).join(', ')}}`)
  }
  if ('L' in value) return member('L', `[]types.AttributeValue{${value.L.map(goValue).join(', ')}}`)
  const entries = Object.entries(value.M).map(([name, each]) => `${quotedString(name)}: ${goValue(each)}`)
  return member('M', `map[string]types.AttributeValue{${entries.join(', ')}}`)
}

export function literal(type: string, lines: readonly string[]): string {
  return lines.length === 0
    ? `${type}{}`
    : `${type}{\n${lines.map((line) => `\t${line.replaceAll('\n', '\n\t')}`).join('\n')}\n}`
}

/** Values that stand in one line are in a column, as gofmt has them. */
export function aligned(members: readonly { readonly name: string; readonly text: string }[]): string[] {
  const lines: string[] = []
  for (let at = 0; at < members.length;) {
    // A column ends where a value takes several lines.
    let end = at
    while (end < members.length && !(members[end]?.text.includes('\n') ?? true)) end++
    const column = members.slice(at, end)
    const widest = Math.max(0, ...column.map(({ name }) => name.length))
    for (const { name, text } of column) lines.push(`${name}:${' '.repeat(widest - name.length + 1)}${text},`)
    const long = members[end]
    if (long !== undefined) lines.push(`${long.name}: ${long.text},`)
    at = end + 1
  }
  return lines
}
