import { objectOf, type Json, type JsonObject } from './table-design.ts'

/** Numbers and flags are often texts in templates. */
export function typedProperties(properties: JsonObject): JsonObject {
  return objectOf(typedValue(properties, ''))
}

function typedValue(value: Json, name: string): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => typedValue(one, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, typedValue(part, key)]))
  if (typeof value !== 'string') return value
  if (numbers.has(name) && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value)
  return flags.has(name) && (value === 'true' || value === 'false') ? value === 'true' : value
}

const numbers = new Set([
  'BatchSize',
  'Cooldown',
  'DatapointsToAlarm',
  'EvaluationPeriods',
  'MaxCapacity',
  'MaximumBatchingWindowInSeconds',
  'MaximumRecordAgeInSeconds',
  'MaximumRetryAttempts',
  'MemorySize',
  'MinCapacity',
  'ParallelizationFactor',
  'Period',
  'ScaleInCooldown',
  'ScaleOutCooldown',
  'ScalingAdjustment',
  'TargetValue',
  'Threshold',
  'Timeout',
  'TumblingWindowInSeconds',
])
const flags = new Set(['ActionsEnabled', 'BisectBatchOnFunctionError', 'DisableScaleIn', 'Enabled', 'ReturnData'])
