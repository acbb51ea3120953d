import { validationException } from '@hashrange/core'
import {
  carryOutPlan,
  listOf,
  objectOf,
  type Json,
  type JsonObject,
  type ResourceKind,
  type ResourcePlan,
  type ResourcePort,
} from '@hashrange/templates'

/** Makes a resource as it is declared, whatever is there of it: this may be repeated. Returns its physical ID. */
export async function putResource(
  port: ResourcePort,
  kind: ResourceKind,
  id: string,
  properties: JsonObject,
  planned?: ResourcePlan,
): Promise<string> {
  const plan = planned ?? (await kind.plan(port, id, properties))
  if (plan.kind === 'replace')
    throw validationException(`The table ${id} cannot be updated, because ${plan.reason}.`)
  if (plan.kind === 'update') assertOneIndex(plan.steps.map(({ input }) => input))
  await carryOutPlan(kind, port, id, plan)
  return (await kind.idOf?.(port, id, properties)) ?? id
}

/** As CloudFormation does, though the table could. */
function assertOneIndex(inputs: readonly object[]): void {
  const updates = inputs.flatMap((input) =>
    listOf(objectOf(input as Json)['GlobalSecondaryIndexUpdates']).map(objectOf),
  )
  const made = updates.filter(({ Create, Delete }) => Create !== undefined || Delete !== undefined)
  if (made.length > 1)
    throw validationException('Cannot perform more than one GSI creation or deletion in a single update')
}
