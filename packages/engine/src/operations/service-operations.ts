import type { UntypedInput } from '../api/inputs.ts'
import { operationsByTarget } from '../api/operations.ts'
import { readServiceInput } from '../api/read-service-input.ts'
import type { ServiceName } from '../api/shapes.ts'
import type { Engine } from '../engine.ts'
import type { Scope } from '../scope.ts'
import type { MaybePromise } from '../store/store.ts'

export type RunOperation = (engine: Engine, scope: Scope, body: unknown) => MaybePromise<unknown>
/** An operation behind the checks of its input, which therefore has the form that its own type says. */
export type ServiceOperation = (engine: Engine, scope: Scope, input: never) => Promise<unknown>
export type ServiceOperations = Readonly<Record<string, ServiceOperation>>

/** Application Auto Scaling and CloudWatch. Neither is on the data plane: each is loaded when it is first asked for. */
export const autoScalingOperations = serviceOperations(
  'auto-scaling',
  operationsByTarget.AnyScaleFrontendService,
  async () => (await import('./auto-scaling/index.ts')).autoScaling,
)
export const cloudWatchOperations = serviceOperations(
  'cloudwatch',
  operationsByTarget.GraniteServiceVersion20100801,
  async () => (await import('./cloudwatch/index.ts')).cloudWatch,
)

function serviceOperations(
  service: ServiceName,
  names: readonly string[],
  load: () => Promise<ServiceOperations>,
): ReadonlyMap<string, RunOperation> {
  return new Map(
    names.map((name): [string, RunOperation] => [
      name,
      async (engine, scope, body) => {
        const run = (await load())[name]
        if (run === undefined) throw new Error(`${service} has no operation ${name}`)
        return call(run, engine, scope, readServiceInput(service, name, body))
      },
    ]),
  )
}

/** The one place where an input that was read by its shape becomes one of the type that was written for the shape. */
function call(run: ServiceOperation, engine: Engine, scope: Scope, input: UntypedInput): Promise<unknown> {
  return run(engine, scope, input as never)
}
