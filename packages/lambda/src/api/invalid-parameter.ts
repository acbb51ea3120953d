import { ServiceError } from '@hashrange/core'

export function invalidParameter(message: string): ServiceError {
  return new ServiceError('InvalidParameterValueException', message)
}
