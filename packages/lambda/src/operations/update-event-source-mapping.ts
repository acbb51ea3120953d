import type { Scope } from '@hashrange/engine'
import { invalidParameter } from '../api/invalid-parameter.ts'
import type { MappingInput, MappingName } from '../api/inputs.ts'
import { readFunctionName } from '../functions/function-name.ts'
import type { Lambda } from '../lambda.ts'
import type { MappingState } from '../mappings/describe-mapping.ts'
import { describedMapping, mappingNotFound, requireOwnMapping } from './mapping-book.ts'
import { readSettings } from '../mappings/read-settings.ts'

export async function updateEventSourceMapping(
  lambda: Lambda,
  scope: Scope,
  input: MappingName & MappingInput,
): Promise<object> {
  const before = await requireOwnMapping(lambda, scope, input.UUID)
  const { FunctionName } = input
  const functionName = FunctionName === undefined ? before.functionName : readFunctionName(scope, FunctionName)
  if ((await lambda.functions.find(scope, functionName)) === undefined)
    throw invalidParameter('Function does not exist')
  const modifiedAtMs = lambda.nowMs()
  const record = await lambda.mappings.change(
    scope,
    [input.UUID],
    (current) =>
      current && {
        ...current,
        functionName,
        isEnabled: input.Enabled ?? current.isEnabled,
        settings: readSettings(input, current.settings, (url) => lambda.whyNotCalled(url)),
        modifiedAtMs,
      },
  )
  if (record === undefined) throw mappingNotFound()
  await lambda.mappingsChanged()
  return describedMapping(lambda, scope, record, transition(before.isEnabled, record.isEnabled))
}

function transition(was: boolean, is: boolean): MappingState {
  if (was === is) return 'Updating'
  return is ? 'Enabling' : 'Disabling'
}
