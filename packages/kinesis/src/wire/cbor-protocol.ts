import { ServiceError } from '@hashrange/core'
import { decodeCbor, encodeCbor, type ServiceProtocol } from '@hashrange/server'

/** AWS JSON 1.1 with CBOR in place of JSON: binary data is not in base64, and times are in milliseconds. */
export const cborProtocol: ServiceProtocol = {
  call(request, body) {
    const [, operation = '', ...rest] = (request.amzTarget ?? '').split('.')
    if (rest.length > 0) throw new ServiceError('UnknownOperationException', '')
    return { operation, input: body.length === 0 ? {} : decodeCbor(body, 'milliseconds') }
  },
  answer: (answer) => ({ headers, body: encodeCbor(answer ?? {}, 'milliseconds') }),
  error: ({ error: { code, message, members } }) => ({
    headers,
    body: encodeCbor({ __type: code, ...(message !== '' && { message }), ...members }, 'milliseconds'),
  }),
}

const headers = { 'Content-Type': 'application/x-amz-cbor-1.1' }
