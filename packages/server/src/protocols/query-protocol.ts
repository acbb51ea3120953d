import { ServiceError } from '@hashrange/core'
import type { ShapeBook } from '@hashrange/engine'
import type { HttpRequest } from '../http/http-request.ts'
import { readQueryParameters } from './query-parameters.ts'
import type { ServiceAnswer, ServiceProtocol } from './service-protocol.ts'
import { xmlElement, xmlElements } from './xml.ts'

export interface QueryService {
  /** The version of the API, which every request names. */
  readonly version: string
  /** Of the elements in its answers. */
  readonly namespace: string
  readonly shapes: ShapeBook
  readonly operations: readonly string[]
}

/** AWS's Query protocol: form parameters in, XML out. IAM and STS use it, and older clients of CloudWatch. */
export function queryProtocol({ namespace, shapes, operations: names }: QueryService): ServiceProtocol {
  const operations: ReadonlySet<string> = new Set(names)
  const document = (name: string, content: string): ServiceAnswer => ({
    headers: { 'Content-Type': 'text/xml' },
    body: Buffer.from(`<${name} xmlns="${namespace}">${content}</${name}>\n`, 'utf8'),
  })
  return {
    call(_request, body) {
      assertFewParameters(body)
      const parameters = new URLSearchParams(body.toString('utf8'))
      const operation = parameters.get('Action')
      if (operation === null) {
        throw new ServiceError('MissingAction', 'The request must contain the parameter Action.')
      }
      if (!operations.has(operation)) {
        throw new ServiceError(
          'InvalidAction',
          `Could not find operation ${operation.slice(0, 256)} for version ${parameters.get('Version')?.slice(0, 64) ?? 'NO_VERSION_SPECIFIED'}`,
        )
      }
      const input = readQueryParameters(parameters, shapes.inputShapeOf(operation))
      return { operation, input }
    },
    answer(answer, { operation }, requestId) {
      const result =
        typeof answer === 'object' && answer !== null
          ? `<${operation}Result>${xmlElements(answer)}</${operation}Result>`
          : ''
      const metadata = `<ResponseMetadata>${xmlElement('RequestId', requestId)}</ResponseMetadata>`
      return document(`${operation}Response`, result + metadata)
    },
    error({ error, queryCode, status }, requestId) {
      const described = xmlElements({
        Type: status < 500 ? 'Sender' : 'Receiver',
        Code: queryCode,
        Message: error.message,
      })
      return document('ErrorResponse', `<Error>${described}</Error>${xmlElement('RequestId', requestId)}`)
    },
  }
}

/** Whether a request uses the Query protocol for a service: the service that it was signed for decides, and without
 *  that the API version that it names. */
export function isQueryFor(request: HttpRequest, signingName: string, version: string): boolean {
  const { target, amzTarget, contentType, authorization, body } = request
  if (amzTarget !== undefined || target.split('?', 1)[0] !== '/') return false
  if (contentType?.split(';', 1)[0]?.trim() !== 'application/x-www-form-urlencoded') return false
  const [, signedFor] = /\/([a-z0-9-]+)\/aws4_request/.exec(authorization ?? '') ?? []
  return signedFor === signingName || body.includes(`Version=${version}`)
}

/** Far above what any operation takes. */
const mostParameters = 50_000
const ampersand = 0x26

function assertFewParameters(body: Buffer): void {
  let count = 1
  for (let at = body.indexOf(ampersand); at >= 0; at = body.indexOf(ampersand, at + 1)) {
    if (++count > mostParameters) {
      throw new ServiceError(
        'RequestEntityTooLargeException',
        `The request has more than ${mostParameters} parameters.`,
      )
    }
  }
}
