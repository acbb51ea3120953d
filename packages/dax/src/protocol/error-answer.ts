import { randomUUID } from 'node:crypto'
import { ServiceError } from '@hashrange/core'
import { CborWriter } from '../wire/cbor-writer.ts'

/** Clients tell errors apart by lists of numbers: where it was found, and what it is. */
const dynamoDb = [4, 37, 38, 39]
const codes: Readonly<Record<string, readonly number[]>> = {
  ProvisionedThroughputExceededException: [...dynamoDb, 40],
  ResourceNotFoundException: [...dynamoDb, 41],
  AccessDeniedException: [4, 37, 38, 42],
  ConditionalCheckFailedException: [...dynamoDb, 43],
  ResourceInUseException: [...dynamoDb, 45],
  ValidationException: [...dynamoDb, 46],
  InternalServerError: [...dynamoDb, 47],
  ItemCollectionSizeLimitExceededException: [...dynamoDb, 48],
  LimitExceededException: [...dynamoDb, 49],
  ThrottlingException: [...dynamoDb, 50],
  TransactionConflictException: [...dynamoDb, 57],
  TransactionCanceledException: [...dynamoDb, 58],
  TransactionInProgressException: [...dynamoDb, 59],
  IdempotentParameterMismatchException: [...dynamoDb, 60],
  RequestLimitExceeded: [...dynamoDb, 61],
  // Who asks is not known: clients sign again.
  MissingAuthenticationTokenException: [4, 23, 31, 33],
  UnrecognizedClientException: [4, 23, 31, 32],
  InvalidSignatureException: [4, 23, 31, 32],
  IncompleteSignatureException: [4, 23, 31, 32],
  ExpiredTokenException: [4, 23, 31, 33],
}

const statuses: Readonly<Record<string, number>> = { InternalServerError: 500, ServiceUnavailable: 503 }

/** Why an item of a transaction stopped it. The item is in the form in which values are sent. */
export interface SentReason {
  readonly code: string
  readonly message: string | undefined
  readonly item: Buffer | undefined
}

export function errorAnswer(error: ServiceError, reasons?: readonly SentReason[]): Buffer {
  const numbers = codes[error.code] ?? codes['ValidationException'] ?? []
  const writer = new CborWriter().list(numbers.length)
  for (const number of numbers) writer.integer(number)
  writer.text(error.message).list(reasons === undefined ? 3 : 4)
  writer
    .text(randomUUID())
    .text(error.code)
    .integer(statuses[error.code] ?? 400)
  if (reasons === undefined) return writer.take()
  writer.list(reasons.length * 3)
  for (const { code, message, item } of reasons) {
    writer.text(code)
    if (message === undefined) writer.null()
    else writer.text(message)
    if (item === undefined) writer.null()
    else writer.bytes(item)
  }
  return writer.take()
}

/** Clients see no more of our own mistakes than DynamoDB's show. */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  return new ServiceError('InternalServerError', 'The request processing has failed because of an unknown error.')
}
