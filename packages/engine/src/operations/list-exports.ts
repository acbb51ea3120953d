import type { ListExportsInput } from '../api/transfer-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { exportTypeOf } from '../transfers/describe-export.ts'
import { exportArnOf } from '../transfers/export-job.ts'
import { pageOfJobs } from '../transfers/page-of-jobs.ts'

export interface ListExportsOutput {
  readonly ExportSummaries: readonly {
    readonly ExportArn: string
    readonly ExportStatus: string
    readonly ExportType: string
  }[]
  readonly NextToken?: string | undefined
}

export async function listExports(
  engine: EngineParts,
  scope: Scope,
  input: ListExportsInput,
): Promise<ListExportsOutput> {
  const { jobs, NextToken } = await pageOfJobs(
    engine.transfers.exports,
    scope,
    input,
    input.MaxResults,
    engine.clock.now(),
  )
  return {
    ExportSummaries: jobs.map((job) => ({
      ExportArn: exportArnOf(job),
      ExportStatus: job.status,
      ExportType: exportTypeOf(job),
    })),
    NextToken,
  }
}
