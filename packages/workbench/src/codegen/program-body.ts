import type { AttributeValue } from '../api-types.ts'
import { spreadOf, type CodeRequest } from './service-request.ts'
import { typedMembers, type Member } from './typed-input.ts'

/** How a language says it. */
interface Phrases {
  readonly comment: string
  /** The lines that make one request. */
  readonly request: (request: CodeRequest, members: readonly Member[]) => readonly string[]
  /** The lines that do it for each of the values, which differ between shards. */
  readonly loop: (values: readonly AttributeValue[], body: readonly string[]) => readonly string[]
}

/** The part of a program that makes the requests; undefined if there are none. */
export function programBody(requests: readonly CodeRequest[], phrases: Phrases): string | undefined {
  const [request] = requests
  if (request === undefined) return undefined
  const spread = spreadOf(requests)
  const body = phrases.request(request, typedMembers(request, spread?.placeholder))
  if (spread === undefined) return body.join('\n')
  const hint = 'One request per shard. Items of different shards are not in order: sort them before you show them.'
  return [`${phrases.comment} ${hint}`, ...phrases.loop(spread.values, body)].join('\n')
}
