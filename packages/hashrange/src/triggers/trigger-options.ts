/** A change of an item, as AWS Lambda hands it to functions. */
export interface DynamoDBStreamRecord {
  readonly eventID: string
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE'
  readonly eventVersion: string
  readonly eventSource: 'aws:dynamodb'
  readonly eventSourceARN: string
  readonly awsRegion: string
  readonly dynamodb: {
    /** Seconds since 1970. */
    readonly ApproximateCreationDateTime: number
    readonly Keys: Readonly<Record<string, StreamAttribute>>
    readonly NewImage?: Readonly<Record<string, StreamAttribute>>
    readonly OldImage?: Readonly<Record<string, StreamAttribute>>
    readonly SequenceNumber: string
    readonly SizeBytes: number
    readonly StreamViewType: 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES' | 'KEYS_ONLY'
  }
  /** Present if the item was deleted because its time to live was over. */
  readonly userIdentity?: { readonly type: 'Service'; readonly principalId: 'dynamodb.amazonaws.com' }
}

/** A value in DynamoDB's JSON. */
export interface StreamAttribute {
  readonly S?: string
  readonly N?: string
  /** In base 64. */
  readonly B?: string
  readonly BOOL?: boolean
  readonly NULL?: boolean
  readonly SS?: string[]
  readonly NS?: string[]
  readonly BS?: string[]
  readonly L?: StreamAttribute[]
  readonly M?: Record<string, StreamAttribute>
}

export interface DynamoDBStreamEvent {
  readonly Records: DynamoDBStreamRecord[]
}

export interface TriggerContext {
  readonly awsRequestId: string
  readonly functionName: string
  readonly invokedFunctionArn: string
}

/** May return `{ batchItemFailures }`, if the trigger reports them. */
export type TriggerHandler = (event: DynamoDBStreamEvent, context: TriggerContext) => unknown

/** Named like the settings of Lambda's event source mappings, with the same defaults. */
export interface TriggerOptions {
  /** The name of the function in errors, and under which a database in a folder remembers how far the trigger has come. */
  readonly name?: string
  /** Only what is changed from now on (`LATEST`, the default), or everything that the stream still has. */
  readonly startingPosition?: 'LATEST' | 'TRIM_HORIZON'
  /** How many records a call gets at most; 100 by default. */
  readonly batchSize?: number
  /** How long to wait for a full batch. */
  readonly maximumBatchingWindowInSeconds?: number
  /** How many calls for one shard may be in progress; those for one item never are. */
  readonly parallelizationFactor?: number
  /** How often a batch is tried again; without end by default. */
  readonly maximumRetryAttempts?: number
  readonly maximumRecordAgeInSeconds?: number
  readonly bisectBatchOnFunctionError?: boolean
  readonly tumblingWindowInSeconds?: number
  /** Whether the handler returns which records have failed. */
  readonly reportBatchItemFailures?: boolean
  /** Patterns of EventBridge, of which a record must match one. */
  readonly filters?: readonly object[]
}

export interface Trigger {
  /** Calls the handler no more. */
  stop(): Promise<void>
}
