/** Inputs that were checked against the shapes of Lambda's API model: the members that are used here. */
export interface MappingInput {
  readonly FunctionName?: string
  readonly Enabled?: boolean
  readonly BatchSize?: number
  readonly FilterCriteria?: { readonly Filters?: readonly { readonly Pattern?: string }[] }
  readonly MaximumBatchingWindowInSeconds?: number
  readonly ParallelizationFactor?: number
  readonly DestinationConfig?: { readonly OnFailure?: { readonly Destination?: string } }
  readonly MaximumRecordAgeInSeconds?: number
  readonly BisectBatchOnFunctionError?: boolean
  readonly MaximumRetryAttempts?: number
  readonly TumblingWindowInSeconds?: number
  readonly FunctionResponseTypes?: readonly string[]
}

export interface CreateEventSourceMappingInput extends MappingInput {
  readonly FunctionName: string
  readonly EventSourceArn?: string
  readonly StartingPosition?: 'TRIM_HORIZON' | 'LATEST' | 'AT_TIMESTAMP'
  /** In seconds since 1970. */
  readonly StartingPositionTimestamp?: number
  readonly Tags?: Readonly<Record<string, string>>
}

export interface MappingName {
  readonly UUID: string
}

export interface ListEventSourceMappingsInput extends PageInput {
  readonly EventSourceArn?: string
  readonly FunctionName?: string
}

export interface PageInput {
  readonly Marker?: string
  readonly MaxItems?: number
}

export interface FunctionInput {
  readonly FunctionName: string
  readonly Qualifier?: string
}

export interface FunctionConfigurationInput extends FunctionInput {
  readonly Runtime?: string
  readonly Role?: string
  readonly Handler?: string
  readonly Description?: string
  readonly Timeout?: number
  readonly MemorySize?: number
  readonly Environment?: { readonly Variables?: Readonly<Record<string, string>> }
  readonly Layers?: readonly string[]
  readonly RevisionId?: string
}

export interface FunctionCodeInput {
  readonly ZipFile?: string
  readonly S3Bucket?: string
  readonly ImageUri?: string
}

export interface CreateFunctionInput extends FunctionConfigurationInput {
  readonly Role: string
  readonly Code: FunctionCodeInput
  readonly PackageType?: string
  readonly Architectures?: readonly string[]
  readonly Tags?: Readonly<Record<string, string>>
}

export interface UpdateFunctionCodeInput extends FunctionInput, FunctionCodeInput {
  readonly DryRun?: boolean
  readonly RevisionId?: string
}

export interface InvokeInput extends FunctionInput {
  readonly Payload?: string
  readonly InvocationType?: 'RequestResponse' | 'Event' | 'DryRun'
  readonly LogType?: 'None' | 'Tail'
  readonly ClientContext?: string
}

export interface ConcurrencyInput extends FunctionInput {
  readonly ReservedConcurrentExecutions: number
}

export interface TaggedInput {
  readonly Resource: string
  readonly Tags?: Readonly<Record<string, string>>
  readonly TagKeys?: readonly string[]
}
