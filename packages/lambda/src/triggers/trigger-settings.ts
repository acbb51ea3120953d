import { readLambdaInput } from '../api/read-input.ts'
import type { MappingInput } from '../api/inputs.ts'
import { usualSettings, type MappingSettings } from '../mappings/mapping-settings.ts'
import { readSettings } from '../mappings/read-settings.ts'

/** The settings of a declared trigger, by the rules of Lambda's API and with its names. Whoever declares it may name any
 *  destination. Throws a ServiceError. */
export function readTriggerSettings(input: object): MappingSettings {
  const checked: MappingInput = readLambdaInput('CreateEventSourceMapping', { FunctionName: 'f', ...input })
  return readSettings(checked, usualSettings, () => undefined)
}
