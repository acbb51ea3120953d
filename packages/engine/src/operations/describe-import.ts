import { ServiceError } from '@hashrange/core'
import type { DescribeImportInput } from '../api/transfer-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { describeImportJob, type ImportTableDescription } from '../transfers/describe-import.ts'
import { readTransferArn } from '../transfers/transfer-arn.ts'

export interface DescribeImportOutput {
  readonly ImportTableDescription: ImportTableDescription
}

export async function describeImport(
  engine: EngineParts,
  scope: Scope,
  input: DescribeImportInput,
): Promise<DescribeImportOutput> {
  const job = await engine.transfers.imports.get(scope, readTransferArn(scope, input.ImportArn, 'import'))
  if (job === undefined) throw new ServiceError('ImportNotFoundException', `Import not found: ${input.ImportArn}`)
  return { ImportTableDescription: describeImportJob(job, engine.transfers.progressOf(job.id)) }
}
