import type { Scope } from '@hashrange/engine'

export type ServiceTarget = 'DynamoDB_20120810' | 'DynamoDBStreams_20120810'

/** What the wire needs of an engine. */
export interface Executor {
  knows(target: ServiceTarget, operation: string): boolean
  /** `body` is parsed JSON of any shape; the answer may hold raw JSON, and errors of the service are ServiceErrors. */
  execute(scope: Scope, target: ServiceTarget, operation: string, body: unknown): Promise<unknown>
}
