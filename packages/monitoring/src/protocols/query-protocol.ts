import { ServiceError } from '@hashrange/core'
import { monitoringOperations } from '../api/operations.ts'
import { cloudWatchShapes } from '../api/shape-books.ts'
import { readQueryParameters } from './query-parameters.ts'
import type { ServiceAnswer, ServiceProtocol } from '@hashrange/server'
import { xmlElement, xmlElements } from './xml.ts'

/** AWS's Query protocol: parameters of a form in, XML out. Older clients of CloudWatch speak it. */
export const queryProtocol: ServiceProtocol = {
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
    const input = readQueryParameters(parameters, cloudWatchShapes.inputShapeOf(operation))
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

/** Far above what any operation of CloudWatch takes. */
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

const operations: ReadonlySet<string> = new Set(monitoringOperations.GraniteServiceVersion20100801)

function document(name: string, content: string): ServiceAnswer {
  const namespace = 'http://monitoring.amazonaws.com/doc/2010-08-01/'
  return {
    headers: { 'Content-Type': 'text/xml' },
    body: Buffer.from(`<${name} xmlns="${namespace}">${content}</${name}>\n`, 'utf8'),
  }
}
