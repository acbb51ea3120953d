import { dirname, resolve } from 'node:path'
import { evaluate } from '../cloudformation/evaluate.ts'
import { Template } from '../cloudformation/template.ts'
import type { FunctionDesign, TriggerDesign } from '../function-design.ts'
import {
  isObject,
  listOf,
  objectOf,
  plainText,
  type Json,
  type JsonObject,
  type ReadOptions,
} from '../table-design.ts'
import { declaredStreams } from '../cloudformation/declared-streams.ts'
import { triggerOf } from '../trigger-of.ts'
import { Unresolved } from '../unresolved.ts'
import type { Variables } from './variables.ts'

interface Service {
  readonly variables: Variables
  /** Its `resources`. */
  readonly template: JsonObject
  readonly options: ReadOptions
}

/** The functions of a serverless.yml. */
export function readServerlessFunctions(
  document: JsonObject,
  file: string,
  { variables, template: resources, options }: Service,
): readonly FunctionDesign[] {
  const provider = objectOf(variables.resolve(document['provider'] ?? {}))
  const template = new Template(resources, file, options)
  const stack = options.stack ?? ''
  return Object.entries(objectOf(variables.resolve(document['functions'] ?? {}))).flatMap(([id, declared]) =>
    isObject(declared) ? [functionOf(id, declared, { provider, template, stack, file })] : [],
  )
}

interface Surroundings {
  readonly provider: JsonObject
  readonly template: Template
  readonly stack: string
  readonly file: string
}

function functionOf(
  id: string,
  declared: JsonObject,
  { provider, template, stack, file }: Surroundings,
): FunctionDesign {
  const problems: string[] = []
  const triggers = listOf(declared['events']).flatMap((event): TriggerDesign[] => {
    const stream = objectOf(event)['stream']
    if (stream === undefined) return []
    const { arn, type: _, ...options } = isObject(stream) ? stream : { arn: stream }
    const settings = wireSettings(options, template)
    const trigger = triggerOf(streamArn(arn ?? null, template), settings, declaredStreams(template))
    if (trigger === undefined && settings['Enabled'] !== false)
      problems.push('the source of its stream is not known')
    return trigger === undefined ? [] : [trigger]
  })
  const variables = { ...objectOf(provider['environment']), ...objectOf(declared['environment']) }
  const environment = Object.entries(variables).flatMap(([name, value]): [string, string][] => {
    const known = evaluate(value, template)
    if (known instanceof Unresolved) problems.push(`the variable ${name} is not known, because ${known.reason}`)
    return known === undefined || known instanceof Unresolved ? [] : [[name, plainText(known)]]
  })
  const seconds = declared['timeout'] ?? provider['timeout'] ?? usual.timeoutSeconds
  const megabytes = declared['memorySize'] ?? provider['memorySize'] ?? usual.memoryMb
  return {
    name: plainText(declared['name'] ?? `${stack}-${id}`),
    origin: `${id} in ${file}`,
    packageType: declared['image'] === undefined ? 'Zip' : 'Image',
    codePath: dirname(resolve(file)),
    handler: plainText(declared['handler'] ?? ''),
    runtime: plainText(declared['runtime'] ?? provider['runtime'] ?? 'nodejs20.x'),
    timeoutSeconds: typeof seconds === 'number' ? seconds : undefined,
    memoryMb: typeof megabytes === 'number' ? megabytes : undefined,
    environment: Object.fromEntries(environment),
    triggers,
    problems,
  }
}

/** What the Serverless Framework declares for functions and streams that do not say; Lambda itself gives less time and
 *  memory, and takes more records at once. */
const usual = { timeoutSeconds: 6, memoryMb: 1024, batchSize: 10 }

/** `!GetAtt OrdersTable.StreamArn`, or the ARN itself. */
function streamArn(value: Json, template: Template): Json | undefined {
  const asked = isObject(value) ? value['Fn::GetAtt'] : undefined
  const [id, attribute] =
    typeof asked === 'string' ? asked.split('.') : listOf(asked).map((part) => plainText(part))
  const known = attribute === 'StreamArn' ? template.attribute(id ?? '', 'Arn') : evaluate(value, template)
  return known instanceof Unresolved ? undefined : known
}

const wireNames: Readonly<Record<string, string>> = {
  batchSize: 'BatchSize',
  batchWindow: 'MaximumBatchingWindowInSeconds',
  bisectBatchOnFunctionError: 'BisectBatchOnFunctionError',
  enabled: 'Enabled',
  functionResponseType: 'FunctionResponseTypes',
  maximumRecordAgeInSeconds: 'MaximumRecordAgeInSeconds',
  maximumRetryAttempts: 'MaximumRetryAttempts',
  parallelizationFactor: 'ParallelizationFactor',
  startingPosition: 'StartingPosition',
  tumblingWindowInSeconds: 'TumblingWindowInSeconds',
}

function wireSettings(options: JsonObject, template: Template): JsonObject {
  const settings: Record<string, Json> = { BatchSize: usual.batchSize }
  for (const [name, value] of Object.entries(options)) {
    const wireName = wireNames[name]
    if (wireName !== undefined) settings[wireName] = name === 'functionResponseType' ? [value] : value
  }
  const patterns = listOf(options['filterPatterns'])
  if (patterns.length > 0)
    settings['FilterCriteria'] = { Filters: patterns.map((pattern) => ({ Pattern: JSON.stringify(pattern) })) }
  const failed = objectOf(options['destinations'])['onFailure']
  if (failed !== undefined) {
    const Destination = isObject(failed) && 'arn' in failed ? (failed['arn'] ?? null) : failed
    // What is not known of it is left out.
    const known = evaluate({ OnFailure: { Destination } }, template)
    if (known !== undefined && !(known instanceof Unresolved)) settings['DestinationConfig'] = known
  }
  return settings
}
