import type { FunctionDesign, TriggerDesign } from '../function-design.ts'
import { isObject, objectOf, plainText, type Json, type JsonObject, type ReadOptions } from '../table-design.ts'
import { triggerOf } from '../trigger-of.ts'
import { Unresolved } from '../unresolved.ts'
import { declaredStreams } from './declared-streams.ts'
import { evaluate, type References } from './evaluate.ts'
import { Template } from './template.ts'

/** The functions of a SAM template. */
export function readSamFunctions(
  document: JsonObject,
  file: string,
  options: ReadOptions,
): readonly FunctionDesign[] {
  const template = new Template(document, file, options)
  const usual = objectOf(objectOf(document['Globals'])['Function'])
  return [...template.resources()]
    .filter(({ type, unknown }) => type === 'AWS::Serverless::Function' && unknown === undefined)
    .map(({ id, properties }) =>
      functionOf(id, { ...usual, ...properties, ...mergedVariables(usual, properties) }, template),
    )
}

const streamEvents: ReadonlySet<string> = new Set(['DynamoDB', 'Kinesis'])

/** Variables of both places count. */
function mergedVariables(usual: JsonObject, properties: JsonObject): JsonObject {
  const of = (from: JsonObject): JsonObject => objectOf(objectOf(from['Environment'])['Variables'])
  return { Environment: { Variables: { ...of(usual), ...of(properties) } } }
}

function functionOf(id: string, properties: JsonObject, template: Template): FunctionDesign {
  const { file, options } = template
  const references = streamReferences(template)
  const problems: string[] = []
  const value = (name: string): Json | undefined => {
    const declared = properties[name]
    const known = declared === undefined ? undefined : evaluate(declared, references)
    if (known instanceof Unresolved) problems.push(`${name} is not known, because ${known.reason}`)
    return known instanceof Unresolved ? undefined : known
  }
  const variables = Object.entries(objectOf(objectOf(properties['Environment'])['Variables'])).flatMap(
    ([name, declared]): [string, string][] => {
      const known = evaluate(declared, references)
      if (known instanceof Unresolved) problems.push(`the variable ${name} is not known, because ${known.reason}`)
      return known === undefined || known instanceof Unresolved ? [] : [[name, plainText(known)]]
    },
  )
  const triggers = Object.entries(objectOf(properties['Events'])).flatMap(([name, event]): TriggerDesign[] => {
    if (!isObject(event) || !streamEvents.has(plainText(event['Type'] ?? ''))) return []
    const known = evaluate(event['Properties'] ?? {}, references)
    const { Stream: arn, ...settings } = objectOf(known instanceof Unresolved ? {} : known)
    const trigger = triggerOf(arn, settings, declaredStreams(template))
    if (trigger === undefined) problems.push(`the stream of its event ${name} is not known`)
    return trigger === undefined ? [] : [trigger]
  })
  const named = value('FunctionName')
  const seconds = value('Timeout')
  const megabytes = value('MemorySize')
  return {
    name: named === undefined ? (options.stack === undefined ? id : `${options.stack}-${id}`) : plainText(named),
    origin: `${id} in ${file}`,
    codeFolder: plainText(value('CodeUri') ?? '.'),
    handler: plainText(value('Handler') ?? ''),
    runtime: plainText(value('Runtime') ?? 'nodejs20.x'),
    timeoutSeconds: typeof seconds === 'number' ? seconds : undefined,
    memoryMb: typeof megabytes === 'number' ? megabytes : undefined,
    environment: Object.fromEntries(variables),
    triggers,
    problems,
  }
}

/** The stream of a table is known once the table is there. Until then, its table is what matters. */
function streamReferences(template: Template): References {
  return {
    ref: (name) => template.ref(name),
    attribute: (id, attribute) => {
      if (attribute !== 'StreamArn') return template.attribute(id, attribute)
      const arn = template.attribute(id, 'Arn')
      return arn instanceof Unresolved ? arn : `${plainText(arn)}/stream/latest`
    },
    condition: (name) => template.condition(name),
    mapped: (map, first, second) => template.mapped(map, first, second),
  }
}
