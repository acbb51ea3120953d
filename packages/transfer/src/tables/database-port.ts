/** A database that tables are copied from or to: DynamoDB's operations, with inputs and outputs in its JSON form
 *  (binary values are base64). It is an endpoint, AWS or a data folder. */
export interface DatabasePort {
  /** Its name in messages. */
  readonly name: string
  /** In its own region, unless another one is named. */
  request(operation: string, input: object, region?: string): Promise<Readonly<Record<string, unknown>>>
  /** What requests to other services of the same server are signed with; not for AWS, where they are elsewhere. */
  credentials?(): Promise<Credentials>
  close(): Promise<void>
}

interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

/** An item in DynamoDB's JSON form. */
export type WireItem = Readonly<Record<string, unknown>>

/** The service's name of an error, if it is one of its own. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

const passing: ReadonlySet<string | undefined> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionConflictException',
  'InternalServerError',
  'ServiceUnavailable',
])

/** Whether the same request may succeed a little later. */
export function isThrottling(error: unknown): boolean {
  return passing.has(errorCode(error))
}
