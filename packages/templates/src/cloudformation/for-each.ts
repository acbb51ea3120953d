import { isObject, type Json, type JsonObject } from '../table-design.ts'

/** `Fn::ForEach::Tables: [Name, [A, B], { '${Name}Table': … }]` stands for one entry for each of the list. */
export function expandForEach(value: Json | undefined, listOf: (value: Json) => readonly string[], depth = 0): Json {
  if (!isObject(value) || depth > 5) return value ?? null
  const result: Record<string, Json> = {}
  for (const [name, part] of Object.entries(value)) {
    if (!name.startsWith('Fn::ForEach::') || !Array.isArray(part)) {
      result[name] = part
      continue
    }
    const [variable, list, body] = part as readonly Json[]
    for (const member of listOf(list ?? [])) {
      const one = replaced(body ?? {}, String(variable), member)
      Object.assign(result, expandForEach(one, listOf, depth + 1) as JsonObject)
    }
  }
  return result
}

function replaced(value: Json, variable: string, member: string): Json {
  if (typeof value === 'string') return value.replaceAll(`\${${variable}}`, member).replaceAll(`&{${variable}}`, member)
  if (Array.isArray(value)) return (value as readonly Json[]).map((part) => replaced(part, variable, member))
  if (!isObject(value)) return value
  if (value['Ref'] === variable && Object.keys(value).length === 1) return member
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      String(replaced(name, variable, member)),
      replaced(part, variable, member),
    ]),
  )
}
