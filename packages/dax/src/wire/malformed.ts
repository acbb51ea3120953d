import { ServiceError, serializationException } from '@hashrange/core'

export function malformed(reason: string): ServiceError {
  return serializationException(`The request is not valid CBOR as DAX uses it: ${reason}.`)
}

export function tooLarge(reason: string): ServiceError {
  return new ServiceError('RequestEntityTooLargeException', `The request is too large. ${reason}`)
}
