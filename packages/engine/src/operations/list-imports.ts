import type { ListImportsInput } from '../api/transfer-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { summarizeImportJob, type ImportTableDescription } from '../transfers/describe-import.ts'
import { pageOfJobs } from '../transfers/page-of-jobs.ts'

export interface ListImportsOutput {
  readonly ImportSummaryList: readonly ImportTableDescription[]
  readonly NextToken?: string | undefined
}

export async function listImports(
  engine: EngineParts,
  scope: Scope,
  input: ListImportsInput,
): Promise<ListImportsOutput> {
  const { jobs, NextToken } = await pageOfJobs(
    engine.transfers.imports,
    scope,
    input,
    input.PageSize,
    engine.clock.now(),
  )
  return {
    ImportSummaryList: jobs.map(summarizeImportJob),
    NextToken,
  }
}
