import { serializationException, ServiceError } from '@hashrange/core'
import { assertWithinBudget, type HttpRequest, type ServiceAnswer, type ServiceProtocol } from '@hashrange/server'
import type { InvokeAnswer } from '../functions/invoke-answer.ts'
import { findRoute } from './find-route.ts'
import { restRoutes } from './rest-routes.ts'

const contentType = 'application/json'

/** What makes the server run code that is in the request. */
const carriesCode: ReadonlySet<string> = new Set(['CreateFunction', 'UpdateFunctionCode'])

/** REST with JSON, as Lambda speaks it: the operation is in method and path, and `Invoke` is nothing but its payload. */
export const restJsonProtocol: ServiceProtocol = {
  call(request, body) {
    const found = findRoute(request.method, request.target)
    if (found === undefined) throw new ServiceError('UnknownOperationException', '')
    const { operation } = found.route
    if (carriesCode.has(operation) && request.origin !== undefined) throw notForPages()
    const sent = operation === 'Invoke' ? invocationOf(request, body) : readJson(body)
    return { operation, input: { ...sent, ...found.input } }
  },
  answer(answer, { operation }) {
    if (operation === 'Invoke') return invokeAnswer(answer as InvokeAnswer)
    const status = statuses.get(operation) ?? 200
    const body = status === 204 ? Buffer.alloc(0) : toJson(answer ?? {})
    return { status, headers: { 'Content-Type': contentType }, body }
  },
  error({ error, status }) {
    const { code, message, members } = error
    const isOurs = status >= 500
    return {
      headers: { 'Content-Type': contentType, 'x-amzn-ErrorType': code },
      body: toJson({ Type: isOurs ? 'Service' : 'User', Message: message, message, ...members }),
    }
  },
}

/** Pages of this machine may use the database, but not run programs: a script that got into one of them would have the
 *  rights of whoever started the server. */
function notForPages(): ServiceError {
  return new ServiceError('AccessDeniedException', 'Web pages cannot create functions or change their code.')
}

const statuses = new Map<string, number>(restRoutes.map(({ operation, status }) => [operation, status]))

/** The members of `Invoke` that are in header fields. The payload is bytes, in base 64. */
function invocationOf(request: HttpRequest, body: Buffer): Readonly<Record<string, unknown>> {
  return {
    Payload: body.toString('base64'),
    InvocationType: fieldOf(request, 'x-amz-invocation-type'),
    LogType: fieldOf(request, 'x-amz-log-type'),
    ClientContext: fieldOf(request, 'x-amz-client-context'),
  }
}

function fieldOf(request: HttpRequest, name: string): string | undefined {
  const line = request.fields?.find((field) => field.slice(0, name.length + 1).toLowerCase() === `${name}:`)
  return line?.slice(name.length + 1).trim()
}

function invokeAnswer({ status, payload, functionError, logTail }: InvokeAnswer): ServiceAnswer {
  return {
    status,
    headers: {
      'Content-Type': contentType,
      'X-Amz-Executed-Version': '$LATEST',
      ...(functionError !== undefined && { 'X-Amz-Function-Error': functionError }),
      ...(logTail !== undefined && { 'X-Amz-Log-Result': logTail.toString('base64') }),
    },
    body: payload,
  }
}

function readJson(body: Buffer): Readonly<Record<string, unknown>> {
  if (body.length === 0) return {}
  assertWithinBudget(body)
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    throw serializationException('Could not parse request body into json: the text is not valid JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw serializationException('Could not parse request body into json: an object is expected.')
  return value as Readonly<Record<string, unknown>>
}

/** Times are written in seconds since 1970. */
function toJson(value: unknown): Buffer {
  return Buffer.from(
    JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, name: string, member: unknown) {
      const original = this[name]
      return original instanceof Date ? original.getTime() / 1000 : member
    }),
    'utf8',
  )
}
