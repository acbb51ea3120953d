import type { DeleteScheduledActionInput } from '../../api/auto-scaling-inputs.ts'
import type { Engine } from '../../engine.ts'
import { inWords, objectNotFound, requireTarget } from '../../scaling/find-target.ts'
import { targetParts } from '../../scaling/scaling-records.ts'
import type { Scope } from '../../scope.ts'

export async function deleteScheduledAction(
  engine: Engine,
  scope: Scope,
  input: DeleteScheduledActionInput,
): Promise<object> {
  const missing = objectNotFound(
    `No scheduled action found for ${inWords(input)}, scheduled action name: ${input.ScheduledActionName}`,
  )
  if (input.ScheduledActionName.length > 256) throw missing
  const target = await requireTarget(engine, scope, input, 'found').catch(() => undefined)
  if (target === undefined) throw missing
  await engine.scaling.scheduledActions.change(
    scope,
    [...targetParts(target), input.ScheduledActionName],
    (current) => {
      if (current === undefined) throw missing
      return undefined
    },
  )
  return {}
}
