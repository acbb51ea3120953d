import { ServiceError } from '@hashrange/core'
import type { DescribeExportInput } from '../api/transfer-inputs.ts'
import type { Engine } from '../engine.ts'
import type { Scope } from '../scope.ts'
import { describeExportJob, type ExportDescription } from '../transfers/describe-export.ts'
import { readTransferArn } from '../transfers/transfer-arn.ts'

export interface DescribeExportOutput {
  readonly ExportDescription: ExportDescription
}

export async function describeExport(
  engine: Engine,
  scope: Scope,
  input: DescribeExportInput,
): Promise<DescribeExportOutput> {
  const [, , , region, accountId] = input.ExportArn.split(':')
  if (region !== scope.region && accountId === scope.accountId) throw notFound('Invalid export arn')
  const job = await engine.transfers.exports.get(scope, readTransferArn(scope, input.ExportArn, 'export'))
  if (job === undefined) throw notFound(`Export not found: ${input.ExportArn}`)
  return { ExportDescription: describeExportJob(job) }
}

/** The service says it twice. */
function notFound(words: string): ServiceError {
  return new ServiceError('ExportNotFoundException', `Export not found: ${words}`)
}
