import { serializationException, ServiceError } from '@hashrange/core'
import {
  assertWithinBudget,
  jsonProtocol,
  type HttpRequest,
  type ServiceProtocol,
  type WireService,
} from '@hashrange/server'
import { eventsOperations, eventsTarget } from '../api/events-operations.ts'
import { pipesOperations, pipesTarget, type PipesOperation } from '../api/operations.ts'

const headers = { 'Content-Type': 'application/json' }

/** REST with JSON: the operation is in method and path. */
const restJson: ServiceProtocol = {
  call(request, body) {
    const found = findOperation(request)
    if (found === undefined) throw new ServiceError('UnknownOperationException', '')
    return { operation: found.operation, input: { ...readJson(body), ...found.input } }
  },
  answer: (answer) => ({ headers, body: Buffer.from(JSON.stringify(answer ?? {})) }),
  error: ({ error: { code, message, members } }) => ({
    headers: { ...headers, 'x-amzn-ErrorType': code },
    body: Buffer.from(JSON.stringify({ message, ...members })),
  }),
}

interface Found {
  readonly operation: PipesOperation
  readonly input: Readonly<Record<string, unknown>>
}

function findOperation({ method, target }: HttpRequest): Found | undefined {
  const url = new URL(target, 'http://localhost')
  const parts = url.pathname.slice(1).split('/').map(decoded)
  if (parts[0] === 'tags') {
    const resourceArn = parts.slice(1).join('/')
    if (method === 'GET') return { operation: 'ListTagsForResource', input: { resourceArn } }
    if (method === 'POST') return { operation: 'TagResource', input: { resourceArn } }
    const tagKeys = url.searchParams.getAll('tagKeys')
    return method === 'DELETE' ? { operation: 'UntagResource', input: { resourceArn, tagKeys } } : undefined
  }
  const [, , Name, action, ...rest] = parts
  if (rest.length > 0) return undefined
  if (Name === undefined || Name === '')
    return method === 'GET' ? { operation: 'ListPipes', input: queryOf(url) } : undefined
  if (action !== undefined) {
    if (method !== 'POST' || (action !== 'start' && action !== 'stop')) return undefined
    return { operation: action === 'start' ? 'StartPipe' : 'StopPipe', input: { Name } }
  }
  const operation = byMethod.get(method)
  return operation === undefined ? undefined : { operation, input: { Name } }
}

const byMethod = new Map<string, PipesOperation>([
  ['POST', 'CreatePipe'],
  ['GET', 'DescribePipe'],
  ['PUT', 'UpdatePipe'],
  ['DELETE', 'DeletePipe'],
])

function queryOf({ searchParams }: URL): Readonly<Record<string, unknown>> {
  const entries = [...searchParams].slice(0, 20).map(([name, value]): [string, unknown] => {
    return [name, name === 'Limit' && /^\d{1,9}$/.test(value) ? Number(value) : value]
  })
  return Object.fromEntries(entries)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function readJson(body: Buffer): object {
  if (body.length === 0) return {}
  assertWithinBudget(body)
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Told below.
  }
  throw serializationException('The request body is not a JSON object.')
}

/** How clients communicate with EventBridge Pipes, and with the part of EventBridge that is about HTTP endpoints. */
export const pipesWire: readonly WireService[] = [
  {
    target: pipesTarget,
    signingName: 'pipes',
    operations: pipesOperations,
    methods: new Set(['GET', 'PUT', 'DELETE']),
    statuses: new Map([
      ['AccessDeniedException', 403],
      ['ConflictException', 409],
      ['NotFoundException', 404],
      ['UnknownOperationException', 404],
      ['UnrecognizedClientException', 403],
    ]),
    protocolOf: ({ target }) =>
      target.startsWith('/v1/pipes') || /^\/tags\/arn(:|%3A)aws(:|%3A)pipes(:|%3A)/i.test(target)
        ? restJson
        : undefined,
  },
  {
    target: eventsTarget,
    signingName: 'events',
    operations: eventsOperations,
    statuses: new Map(),
    protocolOf: ({ target, amzTarget }) =>
      target.split('?', 1)[0] === '/' && amzTarget?.startsWith(`${eventsTarget}.`) === true
        ? jsonProtocol('1.1')
        : undefined,
  },
]
