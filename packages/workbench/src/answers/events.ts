/** Who gets the changes of tables. */
export interface EventsOverview {
  readonly atMs: number
  /** Those with consumers or a stream, by name. */
  readonly tables: readonly TableEvents[]
  /** What whoever asks may not see, in the service's words. */
  readonly denied: readonly string[]
}

export interface TableEvents {
  readonly tableName: string
  readonly stream: { readonly arn: string; readonly viewType: string; readonly isEnabled: boolean } | null
  readonly consumers: readonly Consumer[]
}

export type Consumer = MappingConsumer | PipeConsumer | KinesisConsumer | WebhookConsumer

/** An event source mapping: a stream whose records go to a function. */
export interface MappingConsumer {
  readonly kind: 'mapping'
  readonly id: string
  readonly functionName: string
  readonly isEnabled: boolean
  /** Declared where the server was started: it can only be changed there. */
  readonly isDeclared: boolean
  /** `EventSourceMappingConfiguration`. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly lastResult: string
  readonly waiting: {
    readonly records: number
    readonly isMore: boolean
    readonly ageMs: number
    readonly shards: number
  }
  /** Since this server started; null if it has delivered nothing. */
  readonly figures: MappingFigures | null
}

export interface MappingFigures {
  readonly calls: number
  readonly failures: number
  readonly retries: number
  readonly records: number
  readonly filtered: number
  readonly discarded: number
  readonly iteratorAgeMs: number
  readonly lastFailure: { readonly atMs: number; readonly message: string } | null
  /** The latest, the newest first. */
  readonly batches: readonly DeliveredBatch[]
}

/** One call of a function with records. */
export interface DeliveredBatch {
  readonly atMs: number
  readonly shardId: string
  readonly sequenceNumber: string
  readonly records: number
  readonly done: number
  readonly durationMs: number
  readonly attempt: number
  readonly failure: string | null
}

export interface PipeConsumer {
  readonly kind: 'pipe'
  readonly id: string
  readonly name: string
  readonly isEnabled: boolean
  readonly targetArn: string
  readonly enrichmentArn: string | null
  /** Why it does not get on, if it does not. */
  readonly problem: string | null
}

export interface KinesisConsumer {
  readonly kind: 'kinesis'
  readonly id: string
  readonly streamArn: string
  readonly status: string
  readonly problem: string | null
}

export interface WebhookConsumer {
  readonly kind: 'webhook'
  readonly id: string
  /** Without its path, which may contain secrets. */
  readonly origin: string
  readonly status: 'ACTIVE' | 'FAILING' | 'DISABLED'
  readonly delivered: number
  readonly lastDeliveredAtMs: number | null
  readonly problem: string | null
}

export interface FunctionLog {
  readonly lines: readonly {
    readonly number: number
    readonly atMs: number
    readonly kind: 'printed' | 'failed'
    readonly text: string
  }[]
}

/** What a function answered to a record that it got again. */
export interface ReplayAnswer {
  readonly isFailed: boolean
  /** JSON. */
  readonly payload: string
  readonly log: string
  readonly durationMs: number
}
