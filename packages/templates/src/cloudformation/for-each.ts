import { isObject, objectOf, TemplateError, type Json, plainText } from '../table-design.ts'

const mostMade = 2_000

/** `Fn::ForEach::Tables: [Name, [A, B], { '${Name}Table': … }]` stands for one entry for each of the list. */
export function expandForEach(
  value: Json | undefined,
  listOf: (value: Json) => readonly string[],
  depth = 0,
  made = { count: 0 },
): Json {
  if (!isObject(value) || depth > 5) return value ?? null
  const entries = Object.entries(value).flatMap(([name, part]): [string, Json][] => {
    if (!name.startsWith('Fn::ForEach::') || !Array.isArray(part)) return [[name, part]]
    const [variable, list, body] = part as readonly Json[]
    return listOf(list ?? []).flatMap((member) => {
      // Loops within loops multiply.
      if (++made.count > mostMade) throw new TemplateError(`Fn::ForEach makes more than ${mostMade} resources.`)
      const one = replaced(body ?? {}, plainText(variable), member)
      return Object.entries(objectOf(expandForEach(one, listOf, depth + 1, made)))
    })
  })
  return Object.fromEntries(entries)
}

function replaced(value: Json, variable: string, member: string): Json {
  if (typeof value === 'string')
    return value.replaceAll(`\${${variable}}`, member).replaceAll(`&{${variable}}`, member)
  if (Array.isArray(value)) return (value as readonly Json[]).map((part) => replaced(part, variable, member))
  if (!isObject(value)) return value
  if (value['Ref'] === variable && Object.keys(value).length === 1) return member
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      plainText(replaced(name, variable, member)),
      replaced(part, variable, member),
    ]),
  )
}
