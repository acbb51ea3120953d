import type { Declared, Skipped } from '../declared.ts'
import type { FunctionDesign } from '../function-design.ts'
import { functionNameOf } from '../function-name.ts'
import {
  objectOf,
  plainText,
  type Json,
  type JsonObject,
  type ReadOptions,
  type ResourceDesign,
  type TableDesign,
} from '../table-design.ts'
import { triggerOf } from '../trigger-of.ts'
import { Unresolved } from '../unresolved.ts'
import { declaredStreams } from './declared-streams.ts'
import { evaluate } from './evaluate.ts'
import { functionDesign, isFunction } from './function-designs.ts'
import { streamReferences } from './stream-references.ts'
import { tableDesign } from './table-resource.ts'
import { isTable, Template, type Resource } from './template.ts'

/** What a CloudFormation or SAM template declares. */
export function readCloudFormation(document: Json, file: string, options: ReadOptions): Declared {
  const template = new Template(document, file, options)
  const tables: TableDesign[] = []
  const resources: ResourceDesign[] = []
  const functions: FunctionDesign[] = []
  const skipped: Skipped[] = []
  const problems: string[] = []
  for (const resource of template.resources()) {
    const { id, type, unknown } = resource
    const origin = `${id} in ${file}`
    if (unknown !== undefined && (isTable(type) || isOther(type))) problems.push(`${origin}: ${unknown}.`)
    else if (isTable(type)) {
      const design = readTable(template, resource, origin)
      if (typeof design === 'string') problems.push(`${origin}: ${design}.`)
      else tables.push(design)
    } else if (isFunction(type) && unknown === undefined) functions.push(functionDesign(template, resource))
    else if (isOther(type)) {
      const design = readOther(template, resource, origin)
      if (typeof design === 'string') problems.push(`${origin}: ${design}.`)
      else if (design === undefined) skipped.push({ name: id, type })
      else resources.push(design)
    } else skipped.push({ name: id, type })
  }
  return { tables, ...withTriggers(functions, resources, template), skipped, problems }
}

function readTable(template: Template, { id, type, properties }: Resource, origin: string): TableDesign | string {
  const name = template.nameOf(id, type, properties)
  if (name instanceof Unresolved) return name.reason
  return tableDesign({
    type,
    name,
    origin,
    properties,
    references: template,
    region: template.options.region,
  })
}

const mappingType = 'AWS::Lambda::EventSourceMapping'

/** Of each, what need not be known for it to be what it is: whom an alarm tells may be elsewhere. */
const others: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['AWS::ApplicationAutoScaling::ScalableTarget', new Set(['RoleARN'])],
  ['AWS::ApplicationAutoScaling::ScalingPolicy', new Set()],
  [
    'AWS::CloudWatch::Alarm',
    new Set(['AlarmActions', 'OKActions', 'InsufficientDataActions', 'AlarmDescription', 'Tags']),
  ],
  ['AWS::Kinesis::Stream', new Set(['StreamEncryption', 'Tags'])],
  [mappingType, new Set(['DestinationConfig', 'KmsKeyArn', 'Tags'])],
])

function isOther(type: string): boolean {
  return others.has(type)
}

/** Or what is missing; undefined if it is about something that is not here. */
function readOther(
  template: Template,
  { id, type, properties }: Resource,
  origin: string,
): ResourceDesign | string | undefined {
  const references = streamReferences(template)
  const known: Record<string, Json> = {}
  for (const [property, value] of Object.entries(properties)) {
    const missing: Unresolved[] = []
    const evaluated = evaluate(value, references, missing)
    if (evaluated instanceof Unresolved) missing.push(evaluated)
    const [first] = missing
    if (first !== undefined && others.get(type)?.has(property) !== true)
      return isAboutOthers(type, properties) ? undefined : `${property} is not known, because ${first.reason}`
    if (evaluated !== undefined && !(evaluated instanceof Unresolved)) known[property] = evaluated
  }
  if (isAboutOthers(type, known)) return undefined
  const name = template.nameOf(id, type, properties)
  if (name instanceof Unresolved) return `its name is not known, because ${name.reason}`
  return { name, origin, type, properties: known }
}

/** Queues as event sources, services that scale, and metrics of other services, are not here. */
function isAboutOthers(type: string, properties: JsonObject): boolean {
  const namespace = properties['ServiceNamespace'] ?? plainText(properties['ScalingTargetId'] ?? '').split('|')[2]
  switch (type) {
    case mappingType:
      return !/:dynamodb:.*:table\/|:kinesis:.*:stream\//.test(plainText(properties['EventSourceArn'] ?? ''))
    case 'AWS::ApplicationAutoScaling::ScalableTarget':
    case 'AWS::ApplicationAutoScaling::ScalingPolicy':
      return namespace !== undefined && namespace !== 'dynamodb'
    case 'AWS::CloudWatch::Alarm':
      return /^AWS\/(?!(DynamoDB|Kinesis|Lambda|DAX)$)/.test(plainText(properties['Namespace'] ?? ''))
    default:
      return false
  }
}

/** An event source belongs to its function, if that is declared here too. */
function withTriggers(
  functions: readonly FunctionDesign[],
  resources: readonly ResourceDesign[],
  template: Template,
): Pick<Declared, 'functions' | 'resources'> {
  const streams = declaredStreams(template)
  const taken = new Set<ResourceDesign>()
  const wired = functions.map((design) => {
    const triggers = resources.flatMap((resource) => {
      const { EventSourceArn, FunctionName, Tags: _, ...settings } = objectOf(resource.properties)
      if (resource.type !== mappingType || functionNameOf(plainText(FunctionName ?? '')) !== design.name) return []
      const trigger = triggerOf(EventSourceArn, settings, streams)
      if (trigger !== undefined) taken.add(resource)
      return trigger === undefined ? [] : [trigger]
    })
    return { ...design, triggers: [...design.triggers, ...triggers] }
  })
  return { functions: wired, resources: resources.filter((resource) => !taken.has(resource)) }
}
