import type { TriggerDesign } from './function-design.ts'
import { plainText, type Json, type JsonObject } from './table-design.ts'

/** A trigger, from the ARN of a stream and settings in the names of Lambda's API. Undefined if the ARN names no table; so
 *  is one that is turned off. */
export function triggerOf(arn: Json | undefined, settings: JsonObject): TriggerDesign | undefined {
  const [, tableName] = /:table\/([^/]+)/.exec(typeof arn === 'string' ? arn : '') ?? []
  if (tableName === undefined || settings['Enabled'] === false) return undefined
  const { StartingPosition, Enabled: _enabled, ...others } = settings
  const startingPosition = plainText(StartingPosition ?? 'TRIM_HORIZON') === 'LATEST' ? 'LATEST' : 'TRIM_HORIZON'
  return { tableName, startingPosition, settings: others }
}
