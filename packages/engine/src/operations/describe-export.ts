import { ServiceError } from '@hashrange/core'
import type { DescribeExportInput } from '../api/transfer-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { describeExportJob, type ExportDescription } from '../transfers/describe-export.ts'
import { readTransferArn } from '../transfers/transfer-arn.ts'

export interface DescribeExportOutput {
  readonly ExportDescription: ExportDescription
}

export async function describeExport(
  engine: EngineParts,
  scope: Scope,
  input: DescribeExportInput,
): Promise<DescribeExportOutput> {
  const job = await engine.transfers.exports.get(scope, readTransferArn(scope, input.ExportArn, 'export'))
  if (job === undefined) {
    // The service says it twice.
    throw new ServiceError('ExportNotFoundException', `Export not found: Export not found: ${input.ExportArn}`)
  }
  return { ExportDescription: describeExportJob(job) }
}
