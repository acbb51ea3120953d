import { objectOf } from '../table-design.ts'
import { Unresolved } from '../unresolved.ts'
import { evaluate } from './evaluate.ts'
import { kinesisStreamType, type Template } from './template.ts'

/** What a stream on demand begins with. */
const onDemandShards = 4

/** The Kinesis streams of a template by their names, with how many shards they have. */
export function declaredStreams(template: Template): ReadonlyMap<string, number> {
  const streams = new Map<string, number>()
  for (const { id, type, properties, unknown } of template.resources()) {
    if (type !== kinesisStreamType || unknown !== undefined) continue
    const name = template.nameOf(id, type, properties)
    if (name instanceof Unresolved) continue
    const count = evaluate(properties['ShardCount'] ?? null, template)
    const mode = evaluate(objectOf(properties['StreamModeDetails'])['StreamMode'] ?? null, template)
    const usual = mode === 'PROVISIONED' ? 1 : onDemandShards
    const given = count instanceof Unresolved ? NaN : Number(count ?? NaN)
    streams.set(name, Number.isInteger(given) && given > 0 ? given : usual)
  }
  return streams
}
