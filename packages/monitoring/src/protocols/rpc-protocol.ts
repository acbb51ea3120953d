import { ServiceError } from '@hashrange/core'
import { decodeCbor, encodeCbor, errorAnswer, type ServiceAnswer, type ServiceProtocol } from '@hashrange/server'

/** Smithy's RPC v2 protocol with CBOR: the operation is in the path. */
export const rpcProtocol: ServiceProtocol = {
  call(request, body) {
    const [path = ''] = request.target.split('?', 1)
    const [, , service, , operation, ...rest] = path.split('/')
    if (
      rest.length > 0 ||
      operation === undefined ||
      service !== 'GraniteServiceVersion20100801' ||
      path !== `/service/${service}/operation/${operation}`
    ) {
      throw new ServiceError('UnknownOperationException', '')
    }
    return { operation, input: body.length === 0 ? {} : decodeCbor(body) }
  },
  answer: (answer) => marked({ headers: { 'Content-Type': contentType }, body: encodeCbor(answer ?? {}) }),
  error: (error) => marked(errorAnswer(error, contentType, encodeCbor)),
}

const contentType = 'application/cbor'

function marked({ headers, body }: ServiceAnswer): ServiceAnswer {
  return { headers: { ...headers, 'smithy-protocol': 'rpc-v2-cbor' }, body }
}
