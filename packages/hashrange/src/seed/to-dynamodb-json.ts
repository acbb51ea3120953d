import { SeedError, type SeedItem } from './seed.ts'

type Fields = Readonly<Record<string, unknown>>

const typeTags = new Set(['S', 'N', 'B', 'SS', 'NS', 'BS', 'M', 'L', 'BOOL', 'NULL'])

/** An item of a file, which may be in DynamoDB's JSON form (`{ "name": { "S": "Asha" } }`) or plain JSON
 *  (`{ "name": "Asha" }`). `where` names it in messages. */
export function toDynamoDbJson(item: unknown, where: string): SeedItem {
  if (!isFields(item)) throw new SeedError(`${where} is not an item: it must be an object.`)
  const inner = Object.keys(item).length === 1 && isFields(item['Item']) ? item['Item'] : item
  const values = Object.entries(inner)
  if (values.length > 0 && values.every(([, value]) => isTagged(value))) return inner
  return fromEntries(values.map(([name, value]) => [name, tagged(value, `${where}, ${name}`)]))
}

function isTagged(value: unknown): boolean {
  if (!isFields(value)) return false
  const [tag, ...others] = Object.keys(value)
  return tag !== undefined && others.length === 0 && typeTags.has(tag)
}

/** DynamoDB rejects more, and says so; but what is nested without end is not even sent. */
const mostLevels = 100

function tagged(value: unknown, where: string, level = 1): unknown {
  if (level > mostLevels) throw new SeedError(`${where} is nested too deeply. DynamoDB allows 32 levels.`)
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'boolean') return { BOOL: value }
  if (typeof value === 'number') return { N: String(value) }
  if (value === null) return { NULL: true }
  if (Array.isArray(value)) return { L: value.map((element: unknown) => tagged(element, where, level + 1)) }
  if (!isFields(value)) throw new SeedError(`${where} has no DynamoDB type.`)
  return {
    M: fromEntries(
      Object.entries(value).map(([name, inner]) => [name, tagged(inner, `${where}.${name}`, level + 1)]),
    ),
  }
}

/** Also for an attribute that is called `__proto__`. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): SeedItem {
  const made: Record<string, unknown> = {}
  for (const [name, value] of entries)
    Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true })
  return made
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
