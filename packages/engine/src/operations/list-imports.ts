import type { ListImportsInput } from '../api/transfer-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { readTableName } from '../tables/read-table-name.ts'
import { summarizeImportJob, type ImportTableDescription } from '../transfers/describe-import.ts'
import { decodePageToken, encodePageToken } from '../transfers/transfer-arn.ts'

export interface ListImportsOutput {
  readonly ImportSummaryList: readonly ImportTableDescription[]
  readonly NextToken?: string | undefined
}

const defaultLimit = 25

export async function listImports(
  engine: EngineParts,
  scope: Scope,
  input: ListImportsInput,
): Promise<ListImportsOutput> {
  const wanted = {
    tableName: input.TableArn === undefined ? undefined : readTableName(scope, input.TableArn),
    before: decodePageToken(input.NextToken),
    limit: input.PageSize ?? defaultLimit,
  }
  const { jobs, next } = await engine.transfers.imports.page(scope, wanted, engine.clock.now())
  return {
    ImportSummaryList: jobs.map(summarizeImportJob),
    NextToken: next === undefined ? undefined : encodePageToken(next),
  }
}
