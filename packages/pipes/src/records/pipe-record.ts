import type { Scope } from '@hashrange/engine'
import { isApiDestinationArn } from '../destinations/destination-record.ts'
import type { HttpParameters } from '../destinations/http-call.ts'

interface StreamParameters {
  readonly BatchSize?: number
  readonly MaximumRetryAttempts?: number
  readonly StartingPosition?: 'TRIM_HORIZON' | 'LATEST'
}

/** What a pipe was asked to be, in the words of its API. */
export interface PipeSettings {
  readonly Description?: string
  readonly DesiredState?: 'RUNNING' | 'STOPPED'
  readonly Source: string
  readonly SourceParameters?: {
    readonly FilterCriteria?: { readonly Filters?: readonly { readonly Pattern?: string }[] }
    readonly KinesisStreamParameters?: StreamParameters
    readonly DynamoDBStreamParameters?: StreamParameters
  }
  readonly Enrichment?: string
  readonly EnrichmentParameters?: { readonly InputTemplate?: string }
  readonly Target: string
  readonly TargetParameters?: {
    readonly InputTemplate?: string
    readonly KinesisStreamParameters?: { readonly PartitionKey: string }
    readonly HttpParameters?: HttpParameters
  }
  readonly RoleArn: string
}

/** ON DISK as JSON. */
export interface PipeRecord {
  readonly name: string
  readonly settings: PipeSettings
  readonly state: 'RUNNING' | 'STOPPED'
  readonly stateReason?: string
  readonly tags: Readonly<Record<string, string>>
  readonly createdAtMs: number
  readonly modifiedAtMs: number
  /** In each shard: the sequence up to which records were handled, or `end` if the shard is over. Shards without one are
   *  read from their start. Absent if the source was not there when the pipe was created. */
  readonly positions?: Readonly<Record<string, string>> | undefined
}

export function pipeArn({ region, accountId }: Scope, name: string): string {
  return `arn:aws:pipes:${region}:${accountId}:pipe/${name}`
}

/** How many records are handled at a time. */
export function batchSizeOf(settings: PipeSettings): number {
  // Each request is one record, so that one that fails repeats no others.
  return isApiDestinationArn(settings.Target) ? 1 : (streamParameters(settings).BatchSize ?? 100)
}

export function streamParameters({ SourceParameters }: PipeSettings): StreamParameters {
  return SourceParameters?.DynamoDBStreamParameters ?? SourceParameters?.KinesisStreamParameters ?? {}
}
