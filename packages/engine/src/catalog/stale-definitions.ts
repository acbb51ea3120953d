/** Continues with what was known about tables a moment ago, where other servers may have changed it since: reads may
 *  be slightly behind, and writes verify it. */
export const itemOperations: ReadonlySet<string> = new Set([
  'BatchExecuteStatement',
  'BatchGetItem',
  'BatchWriteItem',
  'DeleteItem',
  'ExecuteStatement',
  'ExecuteTransaction',
  'GetItem',
  'GetRecords',
  'PutItem',
  'Query',
  'Scan',
  'TransactGetItems',
  'TransactWriteItems',
  'UpdateItem',
])

/** Errors that a definition that has changed meanwhile can cause. */
export const refusalsOfDefinitions: ReadonlySet<string> = new Set([
  'BackupInUseException',
  'BackupNotFoundException',
  'PointInTimeRecoveryUnavailableException',
  'ResourceInUseException',
  'ResourceNotFoundException',
  'TableNotFoundException',
  'TrimmedDataAccessException',
  'ValidationException',
])
