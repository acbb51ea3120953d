import type { TriggerDesign } from './function-design.ts'
import { plainText, type Json, type JsonObject } from './table-design.ts'

/** A trigger, from the ARN of a stream and settings in the names of Lambda's API. `streams` are
 *  the Kinesis streams of the file, with their shards. Undefined if the ARN names neither a table
 *  nor a Kinesis stream; so is one that is turned off. */
export function triggerOf(
  arn: Json | undefined,
  settings: JsonObject,
  streams: ReadonlyMap<string, number>,
): TriggerDesign | undefined {
  const text = typeof arn === 'string' ? arn : ''
  const [, tableName] = /:dynamodb:.*:table\/([^/]+)/.exec(text) ?? []
  const [, streamName] = /:kinesis:.*:stream\/([^/]+)/.exec(text) ?? []
  if ((tableName ?? streamName) === undefined || settings['Enabled'] === false) return undefined
  const source =
    streamName === undefined ? { tableName: tableName ?? '' } : { streamName, shardCount: streams.get(streamName) }
  const { StartingPosition, Enabled: _enabled, ...others } = settings
  const startingPosition = plainText(StartingPosition ?? 'TRIM_HORIZON') === 'LATEST' ? 'LATEST' : 'TRIM_HORIZON'
  return { source, startingPosition, settings: others }
}
