import type { Scope } from '@hashrange/engine'
import type { FunctionInput } from '../api/inputs.ts'
import { describeFunction } from '../functions/describe-function.ts'
import type { Lambda } from '../lambda.ts'

export async function getFunction(lambda: Lambda, scope: Scope, input: FunctionInput): Promise<object> {
  const found = await lambda.functions.require(scope, input.FunctionName)
  const stored = found.code.kind === 'stored' ? found.code.record : undefined
  const concurrency = stored?.reservedConcurrency
  return {
    Configuration: describeFunction(found),
    Code: { RepositoryType: 'S3' },
    Tags: stored?.tags ?? {},
    ...(concurrency !== undefined && { Concurrency: { ReservedConcurrentExecutions: concurrency } }),
  }
}
