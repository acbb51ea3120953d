import { ServiceError, validationException } from '@hashrange/core'

/** Most of what the service finds wrong with a table's definition begins with the same words. */
export function invalidParameter(message: string): ServiceError {
  return validationException(`One or more parameter values were invalid: ${message}`)
}

export function limitExceeded(message: string): ServiceError {
  return new ServiceError('LimitExceededException', message)
}
