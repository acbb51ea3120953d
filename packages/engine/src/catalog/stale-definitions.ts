/** What goes on with what was known of tables a moment ago, where other servers may have changed it since: reads may be a little
 *  behind, and writes verify it. */
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

/** What a definition that has been changed meanwhile can be the reason of. */
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
