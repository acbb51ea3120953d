export const eventsTarget = 'AWSEvents'

/** The operations of EventBridge that are about HTTP endpoints. */
export const eventsOperations = [
  'CreateApiDestination',
  'CreateConnection',
  'DeleteApiDestination',
  'DeleteConnection',
  'DescribeApiDestination',
  'DescribeConnection',
  'ListApiDestinations',
  'ListConnections',
  'UpdateApiDestination',
  'UpdateConnection',
] as const

export type EventsOperation = (typeof eventsOperations)[number]
