import type { UntypedInput } from '../api/inputs.ts'
import type { Scope } from '../scope.ts'
import type { RunServiceOperation, ServiceOperations } from './service.ts'

/** An operation behind the checks of its input, so that the input has the operation's own type. `Context` is what the
 *  service passes to all its operations. */
export type ServiceOperation<Context> = (context: Context, scope: Scope, input: never) => Promise<unknown>

export interface ServiceOperationsOptions<Context> {
  readonly names: readonly string[]
  readonly context: Context
  /** The checks of an input, before its operation sees it. */
  readonly readInput: (operation: string, body: unknown) => UntypedInput
  /** The implementation, loaded when one of the operations is first called: no service is on the data plane, and a
   *  start need not wait for it. */
  readonly load: () => Promise<Readonly<Record<string, ServiceOperation<Context>>>>
}

export function serviceOperations<Context>({
  names,
  context,
  readInput,
  load,
}: ServiceOperationsOptions<Context>): ServiceOperations {
  return new Map(
    names.map((name): [string, RunServiceOperation] => [
      name,
      async (scope, body) => {
        const run = (await load())[name]
        if (run === undefined) throw new Error(`there is no operation ${name}`)
        return call(run, context, scope, readInput(name, body))
      },
    ]),
  )
}

/** The one place where an input that was read by its shape gets the type that was written for the shape. */
function call<Context>(
  run: ServiceOperation<Context>,
  context: Context,
  scope: Scope,
  input: UntypedInput,
): Promise<unknown> {
  return run(context, scope, input as never)
}
