import { ServiceError } from '@hashrange/core'

/** The error of operations on items when their table does not exist. */
export function resourceNotFound(): ServiceError {
  return new ServiceError('ResourceNotFoundException', 'Requested resource not found')
}

/** The error of operations on tables. */
export function tableNotFound(tableName: string): ServiceError {
  return new ServiceError(
    'ResourceNotFoundException',
    `Requested resource not found: Table: ${tableName} not found`,
  )
}

export function tableExists(tableName: string): ServiceError {
  return new ServiceError('ResourceInUseException', `Table already exists: ${tableName}`)
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'ResourceNotFoundException'
}

/** A table may be deleted at any time: then there is nothing left to do to it. */
export async function unlessNotFound<T>(change: Promise<T>): Promise<T | undefined> {
  try {
    return await change
  } catch (error) {
    if (!isNotFound(error)) throw error
    return undefined
  }
}
