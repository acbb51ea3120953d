import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { clientFunctions } from '../../client/client-functions.ts'
import { describedModel, type Compute } from '../../client/described-model.ts'
import { PatternArguments, type Subject, type ValuesOfItem } from '../../client/pattern-arguments.ts'
import type { Request, Transport } from '../../client/request-types.ts'
import { standIn } from '../../client/stand-in.ts'
import type { ModelDescription, PatternDescription } from '../../description.ts'
import { ModelError } from '../../errors.ts'
import { shardOf } from '../../keys/shard-of.ts'
import { codecOf } from '../../schema/codec.ts'
import type { SampleItem } from '../sample/sample-data.ts'
import type { Json } from '../yaml.ts'
import { requestJson } from './request-json.ts'
import { subjectOf } from './sample-subject.ts'

/** A request of DynamoDB's API, in its JSON. */
export interface ExampleRequest {
  readonly operation: string
  readonly input: { readonly [name: string]: Json }
}

/** One call of a pattern, with values of the sample data, made by the client itself; undefined if the samples have no item for
 *  it. Of a lookup it is the first request, of a sharded query the one for one shard, of a modify the write. */
export async function exampleRequest(
  description: ModelDescription,
  pattern: PatternDescription,
  samples: readonly SampleItem[],
): Promise<ExampleRequest | undefined> {
  const subject = subjectOf(description, pattern, samples)
  if (subject === undefined) return undefined
  const model = describedModel(description, computedIn(samples))
  const functions = clientFunctions(model, answeringWith(samples, pattern), { now: () => new Date(0) })
  const call = functions[pattern.name] as Explained | undefined
  const [first, ...more] = new PatternArguments(model).of(pattern, subject)
  const words =
    pattern.action === 'query' ? [{ ...(first as object), ...shardOfSubject(pattern, subject) }] : [first]
  try {
    const requests = (await call?.explain(...words, ...more)) ?? []
    const request = requests.at(-1)
    return request === undefined ? undefined : requestJson(request)
  } catch (error) {
    // Samples are made up: the model may reject them.
    if (error instanceof ModelError) return undefined
    throw error
  }
}

interface Explained {
  explain(...words: readonly unknown[]): Promise<readonly Request[]> | readonly Request[]
}

/** What a write reads before, it reads from the samples. What it creates is not there yet. */
function answeringWith(samples: readonly SampleItem[], { action }: PatternDescription): Transport {
  const answer = async (operation: string, input: object): Promise<unknown> => {
    const { TableName, Key = {} } = input as { TableName?: string; Key?: Record<string, AttributeValue> }
    const isNew = action === 'create' || action === 'put' || action === 'upsert'
    const found = samples.find(
      ({ tableName, item }) =>
        tableName === TableName &&
        Object.entries(Key).every(([name, value]) => JSON.stringify(item[name]) === JSON.stringify(value)),
    )
    return operation === 'GetItem' && !isNew ? { Item: found?.item } : {}
  }
  return answer as unknown as Transport
}

/** What the samples have computed from the same values. */
function computedIn(samples: readonly SampleItem[]): Compute {
  return (attribute, sources, given, entity) => {
    const codec = codecOf({ type: attribute.type, storedAs: attribute.storedAs, ...optionsOf(attribute) })
    for (const { kind, item } of samples) {
      const stored = item[attribute.name]
      if (kind !== entity.name || stored === undefined) continue
      const isSame = sources.every((source) => {
        const value = item[source.name]
        const plain =
          value && codecOf({ type: source.type, storedAs: source.storedAs, ...optionsOf(source) }).decode(value, '')
        return JSON.stringify(plain) === JSON.stringify(given[source.name])
      })
      if (isSame) return codec.decode(stored, attribute.name)
    }
    return standIn(attribute, sources, given)
  }
}

function optionsOf({ values, precision }: Parameters<Compute>[0]) {
  return { ...(values !== undefined && { values }), ...(precision !== undefined && { precision }) }
}

/** The shard of the sample. */
function shardOfSubject({ shards }: PatternDescription, { items: [item] }: Subject): object {
  if (shards === undefined || item === undefined) return {}
  const drawn = item.values.get(shards.attribute)?.N
  return { [shards.attribute]: drawn === undefined ? hashed(shards, item) : Number(drawn) }
}

function hashed(
  { by, count }: NonNullable<PatternDescription['shards']>,
  { values }: ValuesOfItem,
): number | undefined {
  const source = by === undefined ? undefined : values.get(by)
  const text = source?.S ?? source?.N ?? (source?.BOOL === undefined ? undefined : String(source.BOOL))
  return text === undefined ? undefined : shardOf(text, count)
}
