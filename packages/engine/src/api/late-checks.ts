import { ServiceError, validationException } from '@hashrange/core'
import type { UntypedInput } from './inputs.ts'
import { isRecord } from './is-record.ts'

/** What the service checks before the constraints of its model. */
export function earlyCheckOf(operation: string): ((input: UntypedInput) => void) | undefined {
  if (operation === 'Query') return checkConditionalOperator
  return operation === 'SearchVectors' ? checkSearch : undefined
}

/** Query names an operator that does not exist. */
function checkConditionalOperator(input: UntypedInput): void {
  const operator = input['ConditionalOperator']
  if (operator === undefined || operator === 'AND' || operator === 'OR') return
  throw validationException('Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]')
}

const capacities: readonly unknown[] = ['INDEXES', 'TOTAL', 'NONE']

/** SearchVectors does not print the values of some members, and has no envelope around one. */
function checkSearch(input: UntypedInput): void {
  const { IndexName: name, SearchVector: vector, TopK: topK, ReturnConsumedCapacity: wanted } = input
  if (typeof name === 'string') assertLength('IndexName', name.length, 3, 255)
  if (Array.isArray(vector)) assertLength('SearchVector', vector.length, 1, 4_096)
  if (typeof topK === 'number' && topK < 1) {
    throw failedConstraint('TopK', 'Member must have value greater than or equal to 1')
  }
  if (typeof wanted === 'string' && !capacities.includes(wanted)) {
    throw validationException(
      `Value '${wanted}' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [${capacities.join(', ')}]`,
    )
  }
}

function assertLength(path: string, length: number, least: number, most: number): void {
  if (length < least) throw failedConstraint(path, `Member must have length greater than or equal to ${least}`)
  if (length > most) throw failedConstraint(path, `Member must have length less than or equal to ${most}`)
}

/** What the service checks after the constraints of its model, and reports with other messages. */
export function lateCheckOf(operation: string): ((input: UntypedInput) => void) | undefined {
  switch (operation) {
    case 'Query':
      return checkQueryLimit
    case 'BatchGetItem':
      return checkBatchGet
    case 'CreateTable':
    case 'UpdateTable':
      return checkTableClass
    case 'BatchWriteItem':
      return (input) => assertHasRequests(input, 'BatchWriteItem')
    default:
      return undefined
  }
}

function checkQueryLimit(input: UntypedInput): void {
  const limit = input['Limit']
  if (typeof limit === 'number' && limit < 1) {
    throw failedConstraint('Limit', 'Member must have value greater than or equal to 1')
  }
}

const tableClasses: readonly unknown[] = ['STANDARD', 'STANDARD_INFREQUENT_ACCESS']

function checkTableClass(input: UntypedInput): void {
  const tableClass = input['TableClass']
  if (tableClass === undefined || tableClasses.includes(tableClass)) return
  throw validationException(
    `Invalid table-class parameter provided. Please try again with a valid table-class value: [${tableClasses.join(', ')}].`,
  )
}

function checkBatchGet(input: UntypedInput): void {
  const requests = input['RequestItems']
  assertHasRequests(input, 'BatchGetItem')
  if (!isRecord(requests)) return
  for (const tableName in requests) {
    const request = requests[tableName]
    if (!isRecord(request) || !Array.isArray(request['Keys'])) continue
    const { length } = request['Keys']
    const path = `RequestItems.${tableName}.member.Keys`
    assertLength(path, length, 1, 100)
  }
}

function assertHasRequests(input: UntypedInput, operation: string): void {
  const requests = input['RequestItems']
  if (isRecord(requests) && Object.keys(requests).length > 0) return
  throw new NoRequests(operation)
}

/** A batch without requests. The newer wording of BatchGetItem differs. */
export class NoRequests extends ServiceError {
  constructor(operation: string) {
    super('ValidationException', `The requestItems parameter is required for ${operation}`)
  }
}

function failedConstraint(path: string, constraint: string): Error {
  return validationException(
    `1 validation error detected: Value at '${path}' failed to satisfy constraint: ${constraint}`,
  )
}
