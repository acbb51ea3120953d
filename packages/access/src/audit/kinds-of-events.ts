/** What CloudTrail counts as data events, by the name that requests are signed with; every other call is a management event. */
const dataEvents: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'dynamodb',
    new Set([
      'BatchExecuteStatement',
      'BatchGetItem',
      'BatchWriteItem',
      'DeleteItem',
      'ExecuteStatement',
      'ExecuteTransaction',
      'GetItem',
      'GetRecords',
      'GetShardIterator',
      'PutItem',
      'Query',
      'Scan',
      'TransactGetItems',
      'TransactWriteItems',
      'UpdateItem',
    ]),
  ],
  ['kinesis', new Set(['GetRecords', 'GetShardIterator', 'PutRecord', 'PutRecords', 'SubscribeToShard'])],
  ['lambda', new Set(['Invoke'])],
  [
    'monitoring',
    new Set(['GetMetricData', 'GetMetricStatistics', 'GetMetricWidgetImage', 'ListMetrics', 'PutMetricData']),
  ],
])

export function isDataEvent(service: string, operation: string): boolean {
  return dataEvents.get(service)?.has(operation) === true
}

/** By the name, as CloudTrail goes by the API. PartiQL is told apart by its statements: see `isReadOnlyStatement`. */
export function isReadOnlyOperation(operation: string): boolean {
  return readingNames.test(operation)
}

const readingNames = /^(?:Get(?!SessionToken)|List|Describe|Query$|Scan$|BatchGet|TransactGet|Search|Simulate)/

export function isReadOnlyStatement(statement: unknown): boolean {
  return typeof statement === 'string' && /^\s*(?:select|exists)\b/i.test(statement)
}

/** Who answers for a service, as CloudTrail names it; what is our own is under no name of AWS's. */
export function eventSourceOf(service: string): string {
  return service === 'hashrange' ? service : `${service}.amazonaws.com`
}
