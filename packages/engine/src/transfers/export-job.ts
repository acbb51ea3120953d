import { tableArn } from '../definitions/table-arn.ts'
import type { TransferJob } from './transfer-job.ts'

/** An export of a table. ON DISK as JSON. */
export interface ExportJob extends TransferJob {
  readonly format: 'DYNAMODB_JSON' | 'ION'
  readonly what: ExportedState | ExportedChanges
  readonly bucket: string
  readonly bucketOwner?: string
  readonly prefix?: string
  readonly sseAlgorithm: 'AES256' | 'KMS'
  readonly sseKmsKeyId?: string
  /** While it is running: the cut of its table from which it reads. */
  readonly cut?: { readonly id: number; readonly tableId: number }
  readonly result?: ExportResult
}

/** All items, as they were at a moment. */
export interface ExportedState {
  readonly kind: 'full'
  readonly atMs: number
  /** The same in steady time; jobs that an earlier version started lack it, and there the two are the same. */
  readonly steadyMs?: number
}

/** The items that were changed from `fromMs` up to `toMs`: what they were before, and what they became. */
export interface ExportedChanges {
  readonly kind: 'incremental'
  readonly fromMs: number
  readonly toMs: number
  /** The same in steady time, as above. */
  readonly fromSteadyMs?: number
  readonly toSteadyMs?: number
  readonly viewType: 'NEW_IMAGE' | 'NEW_AND_OLD_IMAGES'
}

export interface ExportResult {
  readonly itemCount: number
  readonly billedSizeBytes: number
  /** The key of the manifest's summary. */
  readonly manifest: string
}

export function exportArnOf(job: ExportJob): string {
  return `${tableArn(job)}/export/${job.id}`
}
