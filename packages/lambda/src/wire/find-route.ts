import { restRoutes, type RestRoute } from './rest-routes.ts'

export interface FoundRoute {
  readonly route: RestRoute
  /** What path and query say of the input. */
  readonly input: Readonly<Record<string, unknown>>
}

/** The operation that a method and a target name; undefined if none does. */
export function findRoute(method: string, target: string): FoundRoute | undefined {
  const [path = '', query = ''] = splitOnce(target, '?')
  const segments = path.replace(/\/$/, '').slice(1).split('/')
  for (const route of restRoutes) {
    if (route.method !== method) continue
    const members = membersOf(route.path, segments)
    if (members !== undefined) return { route, input: { ...membersOfQuery(route, query), ...members } }
  }
  return undefined
}

/** The last member of a path may contain slashes: an ARN does, and some clients leave them as they are. */
function membersOf(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const isOpen = pattern.at(-1) === '{Resource}' && segments.length > pattern.length
  if (segments.length !== pattern.length && !isOpen) return undefined
  const members: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? ''
    if (!part.startsWith('{')) {
      if (segment !== part) return undefined
      continue
    }
    const text = isOpen && index === pattern.length - 1 ? segments.slice(index).join('/') : segment
    members[part.slice(1, -1)] = decoded(text)
  }
  return members
}

function membersOfQuery(route: RestRoute, query: string): Readonly<Record<string, unknown>> {
  const members: Record<string, unknown> = {}
  for (const part of query.split('&').slice(0, 200)) {
    const [name = '', value = ''] = splitOnce(part, '=')
    const member = route.query.get(decoded(name))
    if (member === undefined) continue
    const text = decoded(value.replaceAll('+', ' '))
    if (member === 'TagKeys') members[member] = [...((members[member] as string[] | undefined) ?? []), text]
    else members[member] = member === 'MaxItems' && /^\d{1,9}$/.test(text) ? Number(text) : text
  }
  return members
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** What is not encoded as it should be stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
