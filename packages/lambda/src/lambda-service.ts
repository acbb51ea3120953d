import { serviceOperations, type OpenService } from '@hashrange/engine'
import { lambdaOperations, lambdaTarget } from './api/operations.ts'
import { readLambdaInput } from './api/read-input.ts'
import { Lambda } from './lambda.ts'
import type { LambdaOptions } from './lambda-options.ts'
import type { KinesisReader } from './sources/kinesis-source.ts'

export interface LambdaServiceOptions extends LambdaOptions {
  /** What reads streams of Kinesis. */
  readonly kinesis: () => KinesisReader
  /** Called with the service when the engine opens it. */
  readonly onOpen?: ((lambda: Lambda) => void) | undefined
}

/** Functions and their triggers, as a service for an engine. */
export function lambdaService({ onOpen, kinesis, ...options }: LambdaServiceOptions): OpenService {
  return (host) => {
    const context = new Lambda(host, options, kinesis)
    onOpen?.(context)
    const operations = serviceOperations({
      names: lambdaOperations,
      context,
      readInput: readLambdaInput,
      load: async () => (await import('./operations/index.ts')).operations,
    })
    return { operations: new Map([[lambdaTarget, operations]]), begin: () => context.begin() }
  }
}
