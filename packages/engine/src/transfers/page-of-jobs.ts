import type { Scope } from '../scope.ts'
import { readTableName } from '../tables/read-table-name.ts'
import type { JobStore } from './job-store.ts'
import { decodePageToken, encodePageToken } from './transfer-arn.ts'
import type { TransferJob } from './transfer-job.ts'

const defaultLimit = 25

interface PageInput {
  readonly TableArn?: string | undefined
  readonly NextToken?: string | undefined
}

/** A page of exports or imports, newest first. */
export async function pageOfJobs<Job extends TransferJob>(
  store: Pick<JobStore<Job>, 'page'>,
  scope: Scope,
  { TableArn, NextToken }: PageInput,
  limit: number | undefined,
  nowMs: number,
): Promise<{ readonly jobs: readonly Job[]; readonly NextToken: string | undefined }> {
  const wanted = {
    tableName: TableArn === undefined ? undefined : readTableName(scope, TableArn),
    before: decodePageToken(NextToken),
    limit: limit ?? defaultLimit,
  }
  const { jobs, next } = await store.page(scope, wanted, nowMs)
  return { jobs, NextToken: next === undefined ? undefined : encodePageToken(next) }
}
