import { toPlain, type Engine, type Scope } from '@hashrange/engine'
import type { ResourcePort, TablePort } from '@hashrange/templates'

/** The services of an engine, without HTTP. */
export function enginePort(engine: Engine, scope: Scope): ResourcePort & TablePort {
  const call = async (target: string, operation: string, input: object): Promise<Record<string, unknown>> =>
    (toPlain(await engine.execute(scope, target, operation, input)) ?? {}) as Record<string, unknown>
  return { call, request: (operation, input) => call('DynamoDB_20120810', operation, input) }
}
