import { toPlain, type Engine, type Scope } from '@hashrange/engine'
import type { ResourcePort } from '@hashrange/templates'
import type { DatabasePort } from '@hashrange/transfer'

/** The services of an engine, without HTTP. */
export function enginePort(engine: Engine, scope: Scope): ResourcePort & Pick<DatabasePort, 'request'> {
  const call: ResourcePort['call'] = async (target, operation, input, region = scope.region) =>
    (toPlain(await engine.execute({ ...scope, region }, target, operation, input)) ?? {}) as Record<string, unknown>
  return { call, request: (operation, input, region) => call('DynamoDB_20120810', operation, input, region) }
}
