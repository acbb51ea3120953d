import { validationException } from '@hashrange/core'

const deepest = 31

/** An item of plain JSON: texts, numbers, booleans, null, lists and maps. An item that already has attribute values, such
 *  as the image of a change, stays what it is. */
export function attributeValues(input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw validationException('An item for a table must be a JSON object. Use an InputTemplate.')
  }
  const entries = Object.entries(input)
  if (entries.length > 0 && entries.every(([, value]) => isAttributeValue(value)))
    return Object.fromEntries(entries)
  return Object.fromEntries(entries.map(([name, value]) => [name, valueOf(value, 0)]))
}

const types = new Set(['S', 'N', 'B', 'BOOL', 'NULL', 'L', 'M', 'SS', 'NS', 'BS'])

function isAttributeValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const names = Object.keys(value)
  return names.length === 1 && types.has(names[0] ?? '')
}

function valueOf(value: unknown, level: number): object {
  if (level > deepest) throw validationException('An item for a table nests too deeply.')
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'number') return { N: String(value) }
  if (typeof value === 'boolean') return { BOOL: value }
  if (Array.isArray(value)) return { L: value.map((element) => valueOf(element, level + 1)) }
  if (typeof value !== 'object' || value === null) return { NULL: true }
  return {
    M: Object.fromEntries(Object.entries(value).map(([name, member]) => [name, valueOf(member, level + 1)])),
  }
}
