import type { AnyModel } from '@hashrange/model'
import { ApiRefusal } from '../api-handler.ts'

/** A request of DynamoDB's API, in its JSON. */
export interface ExplainedRequest {
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
}

/** The requests that a call of a pattern sends, as the typed client itself makes them: one, or one for each shard.
 *  `found` is the item that the first request of a lookup has found; then it is the request for its owner. */
export async function explainPattern(
  model: AnyModel,
  patternName: string,
  parameters: Readonly<Record<string, unknown>>,
  found?: unknown,
): Promise<readonly ExplainedRequest[]> {
  const { connect, ModelError } = await import('@hashrange/model')
  const pattern = model.description.patterns.find(({ name }) => name === patternName)
  if (pattern === undefined) throw new ApiRefusal(404, 'NoSuchPattern', `There is no pattern "${patternName}".`)
  const sent: ExplainedRequest[] = []
  const answers = found === undefined ? [] : [{ Item: found, Items: [found] }]
  const client = {
    send: (command: { readonly input: object; readonly constructor: { readonly name: string } }) => {
      const answer = answers.shift()
      if (answer !== undefined) return Promise.resolve(answer)
      sent.push(requestOf(command))
      return Promise.reject(new Sent())
    },
  }
  const functions = connect(model, client as never) as Readonly<Record<string, unknown>>
  const call = functions[patternName] as PatternFunction | undefined
  try {
    if (found !== undefined) {
      await call?.(parameters)
      return sent
    }
    if (typeof call?.explain !== 'function') {
      throw new ApiRefusal(
        400,
        'NotExplained',
        `There is no request to show: ${patternName} is a ${pattern.action}.`,
      )
    }
    const requests = call.explain(parameters)
    return requests.map(({ operation, input }) => plain({ operation, input }) as ExplainedRequest)
  } catch (error) {
    if (error instanceof Sent) return sent
    if (error instanceof ModelError) throw new ApiRefusal(400, error.code, error.message)
    throw error
  }
}

interface PatternFunction {
  (parameters: object): Promise<unknown>
  readonly explain?: (parameters: object) => readonly ExplainedRequest[]
}

/** Stops the client at the request that is wanted. */
class Sent extends Error {}

function requestOf(command: {
  readonly input: object
  readonly constructor: { readonly name: string }
}): ExplainedRequest {
  const operation = command.constructor.name.replace(/Command$/, '')
  return plain({ operation, input: command.input }) as ExplainedRequest
}

/** Binary as base64, and no undefined members. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, plain(member)]])),
  )
}
