import { importArnOf, type ImportCounts, type ImportJob } from './import-job.ts'
import { tableArn } from '../definitions/table-arn.ts'

export type ImportTableDescription = Readonly<Record<string, unknown>>

/** `counts` are those of a running import. */
export function describeImportJob(job: ImportJob, counts: ImportCounts = job.counts): ImportTableDescription {
  return {
    ...describeCommon(job),
    TableId: job.tableUuid === '' ? undefined : job.tableUuid,
    ClientToken: job.clientToken,
    ErrorCount: counts.errors,
    InputFormatOptions: job.csv === undefined ? undefined : { Csv: job.csv },
    InputCompressionType: job.compression,
    TableCreationParameters: job.table,
    ProcessedSizeBytes: counts.processedBytes,
    ProcessedItemCount: counts.processedItems,
    ImportedItemCount: counts.importedItems,
    FailureCode: job.failure?.code,
    FailureMessage: job.failure?.message,
  }
}

export function summarizeImportJob(job: ImportJob): ImportTableDescription {
  return describeCommon(job)
}

function describeCommon(job: ImportJob): ImportTableDescription {
  return {
    ImportArn: importArnOf(job),
    ImportStatus: job.status,
    TableArn: tableArn(job),
    S3BucketSource: {
      S3BucketOwner: job.bucketOwner ?? job.accountId,
      S3Bucket: job.bucket,
      S3KeyPrefix: job.prefix,
    },
    CloudWatchLogGroupArn: `arn:aws:logs:${job.region}:${job.accountId}:log-group:/aws-dynamodb/imports:*`,
    InputFormat: job.format,
    StartTime: job.startedAtMs / 1000,
    EndTime: job.endedAtMs === undefined ? undefined : job.endedAtMs / 1000,
  }
}
