import { validationException } from '@hashrange/core'

/** What the service checks after the constraints of its model, and reports in other words than those. */
export function lateCheckOf(operation: string): ((input: Readonly<Record<string, unknown>>) => void) | undefined {
  switch (operation) {
    case 'Query':
      return checkQueryLimit
    case 'BatchGetItem':
      return checkBatchGet
    case 'BatchWriteItem':
      return (input) => assertHasRequests(input, 'BatchWriteItem')
    default:
      return undefined
  }
}

function checkQueryLimit(input: Readonly<Record<string, unknown>>): void {
  const limit = input['Limit']
  if (typeof limit === 'number' && limit < 1) {
    throw failedConstraint('Limit', 'Member must have value greater than or equal to 1')
  }
}

function checkBatchGet(input: Readonly<Record<string, unknown>>): void {
  assertHasRequests(input, 'BatchGetItem')
  for (const [tableName, request] of Object.entries(input['RequestItems'] as Record<string, { Keys: unknown[] }>)) {
    if (request.Keys.length > 100) {
      throw failedConstraint(
        `RequestItems.${tableName}.member.Keys`,
        'Member must have length less than or equal to 100',
      )
    }
  }
}

function assertHasRequests(input: Readonly<Record<string, unknown>>, operation: string): void {
  for (const _tableName in input['RequestItems'] as object) return
  throw validationException(`The requestItems parameter is required for ${operation}`)
}

function failedConstraint(path: string, constraint: string): Error {
  return validationException(
    `1 validation error detected: Value at '${path}' failed to satisfy constraint: ${constraint}`,
  )
}
