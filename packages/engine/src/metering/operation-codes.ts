/** The operations that metrics distinguish, by their position in this list. */
export const meteredOperations = [
  'GetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'Query',
  'Scan',
  'BatchGetItem',
  'BatchWriteItem',
  'TransactGetItems',
  'TransactWriteItems',
  'ExecuteStatement',
  'BatchExecuteStatement',
  'ExecuteTransaction',
  'GetRecords',
] as const

export type MeteredOperation = (typeof meteredOperations)[number]

/** -1 for operations that are not metered by table. */
export function codeOfOperation(name: string): number {
  return (meteredOperations as readonly string[]).indexOf(name)
}
