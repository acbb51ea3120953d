import { serializationException, ServiceError } from '@hashrange/core'
import { assertWithinBudget } from '../json-budget.ts'
import type { ServiceAnswer, ServiceProtocol, WireError } from './service-protocol.ts'

/** AWS JSON, in one of its versions: the operation is in `X-Amz-Target`. */
export function jsonProtocol(version: '1.0' | '1.1'): ServiceProtocol {
  return protocols[version]
}

const protocols = { '1.0': protocolOfVersion('1.0'), '1.1': protocolOfVersion('1.1') }

function protocolOfVersion(version: string): ServiceProtocol {
  const contentType = `application/x-amz-json-${version}`
  return {
    call(request, body) {
      const [, operation = '', ...rest] = (request.amzTarget ?? '').split('.')
      if (rest.length > 0) throw new ServiceError('UnknownOperationException', '')
      return { operation, input: readJson(body) }
    },
    answer: (answer) => ({ headers: { 'Content-Type': contentType }, body: toJson(answer ?? {}) }),
    error: (error) =>
      version === '1.1' ? plainError(error, contentType) : errorAnswer(error, contentType, toJson),
  }
}

function readJson(body: Buffer): unknown {
  if (body.length === 0) return {}
  assertWithinBudget(body)
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw serializationException('The request body is not valid JSON.')
  }
}

/** Times are written in seconds since 1970, bytes in base64. */
function toJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(toPlain(value)), 'utf8')
}

function toPlain(value: unknown): unknown {
  if (value instanceof Date) return value.getTime() / 1000
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64')
  if (Array.isArray(value)) return value.map(toPlain)
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [key, toPlain(member)]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toPlain(member)]))
}

/** Application Auto Scaling never spoke the Query protocol, and has no codes of it. */
function plainError({ error }: WireError, contentType: string): ServiceAnswer {
  const { code, message, members } = error
  const body = { __type: code, ...(message !== '' && { message }), ...members }
  return { headers: { 'Content-Type': contentType }, body: toJson(body) }
}

/** An error in a protocol that reports the Query protocol's code in a header. */
export function errorAnswer(
  { error, queryCode, status }: WireError,
  contentType: string,
  encode: (value: unknown) => Buffer,
): ServiceAnswer {
  const { code, message, members } = error
  return {
    headers: {
      'Content-Type': contentType,
      'x-amzn-query-error': `${queryCode};${status < 500 ? 'Sender' : 'Receiver'}`,
    },
    body: encode({ __type: code, ...(message !== '' && { message }), ...members }),
  }
}
