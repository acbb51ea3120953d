import { dirname, resolve } from 'node:path'
import type { FunctionDesign, TriggerDesign } from '../function-design.ts'
import { isObject, objectOf, plainText, type Json, type JsonObject } from '../table-design.ts'
import { triggerOf } from '../trigger-of.ts'
import { Unresolved } from '../unresolved.ts'
import { declaredStreams } from './declared-streams.ts'
import { evaluate } from './evaluate.ts'
import { streamReferences } from './stream-references.ts'
import type { Resource, Template } from './template.ts'

const functionTypes: ReadonlySet<string> = new Set(['AWS::Lambda::Function', 'AWS::Serverless::Function'])

export function isFunction(type: string): boolean {
  return functionTypes.has(type)
}

/** A function of CloudFormation, CDK or SAM; with SAM, the streams that it is called for too. */
export function functionDesign(
  template: Template,
  { id, type, properties, declaration }: Resource,
): FunctionDesign {
  const { file } = template
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
    if (trigger === undefined && settings['Enabled'] !== false)
      problems.push(`the stream of its event ${name} is not known`)
    return trigger === undefined ? [] : [trigger]
  })
  const name = template.nameOf(id, type, properties)
  if (name instanceof Unresolved) problems.push(`its name is not known, because ${name.reason}`)
  const seconds = value('Timeout')
  const megabytes = value('MemorySize')
  return {
    name: name instanceof Unresolved ? id : name,
    origin: `${id} in ${file}`,
    ...codeOf(dirname(file), declaration, type, properties, value),
    packageType: value('PackageType') === 'Image' ? 'Image' : 'Zip',
    handler: plainText(value('Handler') ?? ''),
    runtime: plainText(value('Runtime') ?? 'nodejs20.x'),
    timeoutSeconds: typeof seconds === 'number' ? seconds : undefined,
    memoryMb: typeof megabytes === 'number' ? megabytes : undefined,
    environment: Object.fromEntries(variables),
    triggers,
    problems,
  }
}

const streamEvents: ReadonlySet<string> = new Set(['DynamoDB', 'Kinesis'])

/** In a folder beside the template (SAM, and `Code` before `aws cloudformation package`), in the folder of CDK, or in the template. */
function codeOf(
  folder: string,
  { Metadata }: JsonObject,
  type: string,
  properties: JsonObject,
  value: (name: string) => Json | undefined,
): Pick<FunctionDesign, 'codePath' | 'inlineCode'> {
  const { ['aws:asset:path']: assetPath, ['aws:asset:property']: ofProperty } = objectOf(Metadata)
  if (typeof assetPath === 'string' && (ofProperty === undefined || ofProperty === 'Code'))
    return { codePath: resolve(folder, assetPath) }
  const isSam = type === 'AWS::Serverless::Function'
  const inline = isSam ? value('InlineCode') : objectOf(value('Code'))['ZipFile']
  if (typeof inline === 'string') return { inlineCode: inline }
  const place = isSam ? (properties['CodeUri'] === undefined ? '.' : value('CodeUri')) : value('Code')
  return typeof place === 'string' && !place.startsWith('s3://') ? { codePath: resolve(folder, place) } : {}
}
