import { propertyName, quoted } from '../export/source-text.ts'

/** Plain data as TypeScript writes it; fields that are undefined are left out. On one line if it is short. */
export function sourceOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const parts = Array.isArray(value)
    ? value.map((each: unknown) => sourceOf(each, depth + 1))
    : Object.entries(value).flatMap(([name, each]) =>
        each === undefined ? [] : [`${propertyName(name)}: ${sourceOf(each, depth + 1)}`],
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  const pad = Array.isArray(value) ? '' : ' '
  const line = `${open}${pad}${parts.join(', ')}${pad}${close}`
  if (line.length + depth * 2 <= 90 && !line.includes('\n')) return line
  const indent = '  '.repeat(depth + 1)
  return `${open}\n${parts.map((part) => `${indent}${part},\n`).join('')}${'  '.repeat(depth)}${close}`
}
