import { ServiceError } from '@hashrange/core'
import { MalformedPolicy } from '../policies/malformed-policy.ts'
import { parsePolicy, type PolicyKind } from '../policies/parse-policy.ts'

export function noSuchEntity(message: string): ServiceError {
  return new ServiceError('NoSuchEntityException', message)
}

export function alreadyExists(message: string): ServiceError {
  return new ServiceError('EntityAlreadyExistsException', message)
}

export function deleteConflict(message: string): ServiceError {
  return new ServiceError('DeleteConflictException', message)
}

export function limitExceeded(message: string): ServiceError {
  return new ServiceError('LimitExceededException', message)
}

export function invalidInput(message: string): ServiceError {
  return new ServiceError('InvalidInputException', message)
}

export function validationError(message: string): ServiceError {
  return new ServiceError('ValidationException', message)
}

/** Throws IAM's error for a document that is no policy of its kind. */
export function assertPolicy(document: string, kind: PolicyKind, isManaged = false): void {
  try {
    parsePolicy(document, kind, { requireCurrentVersion: isManaged })
  } catch (error) {
    if (!(error instanceof MalformedPolicy)) throw error
    throw new ServiceError('MalformedPolicyDocumentException', error.message)
  }
}
