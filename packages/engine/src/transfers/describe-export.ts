import { exportArnOf, type ExportJob } from './export-job.ts'
import { tableArn } from '../definitions/table-arn.ts'

export type ExportDescription = Readonly<Record<string, unknown>>

export function describeExportJob(job: ExportJob): ExportDescription {
  const { what, result, failure } = job
  return {
    ExportArn: exportArnOf(job),
    ExportStatus: job.status,
    StartTime: job.startedAtMs / 1000,
    EndTime: job.endedAtMs === undefined ? undefined : job.endedAtMs / 1000,
    ExportManifest: result?.manifest,
    TableArn: tableArn(job),
    TableId: job.tableUuid,
    ExportTime: what.kind === 'full' ? what.atMs / 1000 : undefined,
    ClientToken: job.clientToken,
    S3Bucket: job.bucket,
    S3BucketOwner: job.bucketOwner,
    S3Prefix: job.prefix,
    S3SseAlgorithm: job.sseAlgorithm,
    S3SseKmsKeyId: job.sseKmsKeyId,
    FailureCode: failure?.code,
    FailureMessage: failure?.message,
    ExportFormat: job.format,
    BilledSizeBytes: result?.billedSizeBytes,
    ItemCount: result?.itemCount,
    ExportType: exportTypeOf(job),
    IncrementalExportSpecification:
      what.kind === 'full'
        ? undefined
        : { ExportFromTime: what.fromMs / 1000, ExportToTime: what.toMs / 1000, ExportViewType: what.viewType },
  }
}

export function exportTypeOf({ what }: ExportJob): 'FULL_EXPORT' | 'INCREMENTAL_EXPORT' {
  return what.kind === 'full' ? 'FULL_EXPORT' : 'INCREMENTAL_EXPORT'
}
