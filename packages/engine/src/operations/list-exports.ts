import type { ListExportsInput } from '../api/transfer-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { readTableName } from '../tables/read-table-name.ts'
import { exportTypeOf } from '../transfers/describe-export.ts'
import { exportArnOf } from '../transfers/export-job.ts'
import { decodePageToken, encodePageToken } from '../transfers/transfer-arn.ts'

export interface ListExportsOutput {
  readonly ExportSummaries: readonly {
    readonly ExportArn: string
    readonly ExportStatus: string
    readonly ExportType: string
  }[]
  readonly NextToken?: string | undefined
}

const defaultLimit = 25

export async function listExports(
  engine: EngineParts,
  scope: Scope,
  input: ListExportsInput,
): Promise<ListExportsOutput> {
  const wanted = {
    tableName: input.TableArn === undefined ? undefined : readTableName(scope, input.TableArn),
    before: decodePageToken(input.NextToken),
    limit: input.MaxResults ?? defaultLimit,
  }
  const { jobs, next } = await engine.transfers.exports.page(scope, wanted, engine.clock.now())
  return {
    ExportSummaries: jobs.map((job) => ({
      ExportArn: exportArnOf(job),
      ExportStatus: job.status,
      ExportType: exportTypeOf(job),
    })),
    NextToken: next === undefined ? undefined : encodePageToken(next),
  }
}
