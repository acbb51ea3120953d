import type { DeleteScheduledActionInput } from '../../api/auto-scaling-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { targetText, objectNotFound, requireTarget } from '../../scaling/find-target.ts'
import { targetParts } from '../../records/scaling-records.ts'
import type { Monitoring } from '../../monitoring.ts'

export async function deleteScheduledAction(
  monitoring: Monitoring,
  scope: Scope,
  input: DeleteScheduledActionInput,
): Promise<object> {
  const missing = objectNotFound(
    `No scheduled action found for ${targetText(input)}, scheduled action name: ${input.ScheduledActionName}`,
  )
  if (input.ScheduledActionName.length > 256) throw missing
  const target = await requireTarget(monitoring, scope, input, 'found').catch(() => undefined)
  if (target === undefined) throw missing
  await monitoring.scaling.scheduledActions.change(
    scope,
    [...targetParts(target), input.ScheduledActionName],
    (current) => {
      if (current === undefined) throw missing
      return undefined
    },
  )
  return {}
}
