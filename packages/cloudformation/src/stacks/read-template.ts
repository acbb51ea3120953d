import { ServiceError, validationException } from '@hashrange/core'
import {
  isObject,
  listOf,
  objectOf,
  parseText,
  plainText,
  TemplateError,
  type Json,
  type JsonObject,
} from '@hashrange/templates'
import type { SentParameter } from '../api/inputs.ts'
import { PatternMatching } from './pattern-matching.ts'

/** Of a template that is sent with a request, as on AWS. */
export const longestBodyBytes = 51_200
/** Of a template in a bucket. */
export const longestTemplateBytes = 1_048_576
export const mostResources = 500

/** The template, if it is one. */
export function readTemplate(text: string): JsonObject {
  let document: Json
  try {
    document = parseText(text, 'The template')
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw validationException(`Template format error: ${error.message}`)
  }
  if (!isObject(document)) throw validationException('Template format error: unsupported structure.')
  const resources = document['Resources']
  if (!isObject(resources) || Object.keys(resources).length === 0)
    throw validationException('Template format error: At least one Resources member must be defined.')
  const entries = Object.entries(resources)
  if (entries.length > mostResources)
    throw validationException(
      `Template format error: Number of resources, ${entries.length}, is greater than maximum allowed, ${mostResources}`,
    )
  for (const [id, resource] of entries) {
    if (id.startsWith('Fn::ForEach')) continue
    if (!/^[a-zA-Z0-9]{1,255}$/.test(id))
      throw validationException(`Template format error: Resource name ${id.slice(0, 255)} is non alphanumeric.`)
    if (!isObject(resource) || typeof resource['Type'] !== 'string')
      throw validationException(
        `Template format error: [/Resources/${id}] Every Resources object must contain a Type member.`,
      )
    assertPolicy(id, resource['Type'], resource['DeletionPolicy'])
    assertPolicy(id, resource['Type'], resource['UpdateReplacePolicy'])
  }
  return document
}

function assertPolicy(id: string, type: string, policy: Json | undefined): void {
  if (typeof policy !== 'string' || ['Delete', 'Retain', 'RetainExceptOnCreate'].includes(policy)) return
  if (policy === 'Snapshot' && !type.startsWith('AWS::DynamoDB::')) return
  throw validationException(
    policy === 'Snapshot'
      ? `Template error: resource type ${type} does not support deletion policy Snapshot`
      : `Template format error: Unrecognized DeletionPolicy ${policy.slice(0, 64)} for resource ${id}`,
  )
}

/** What a template needs to be acknowledged. */
export function neededCapabilities(template: JsonObject): readonly string[] {
  const resources = Object.values(objectOf(template['Resources'])).map(objectOf)
  const identities = resources.filter(({ Type }) => plainText(Type).startsWith('AWS::IAM::'))
  const isNamed = identities.some(({ Properties }) =>
    ['RoleName', 'UserName', 'GroupName', 'ManagedPolicyName'].some((name) => name in objectOf(Properties)),
  )
  const macros = transformsOf(template).length > 0
  return [
    ...(identities.length === 0 ? [] : [isNamed ? 'CAPABILITY_NAMED_IAM' : 'CAPABILITY_IAM']),
    ...(macros ? ['CAPABILITY_AUTO_EXPAND'] : []),
  ]
}

export function transformsOf(template: JsonObject): readonly string[] {
  const transform = template['Transform']
  return (Array.isArray(transform) ? listOf(transform) : transform === undefined ? [] : [transform]).map(plainText)
}

/** A change set shows what macros make of a template, so it needs no leave for them. */
export function assertCapable(template: JsonObject, given: readonly string[], isChangeSet: boolean): void {
  const missing = neededCapabilities(template).filter((needed) => {
    if (needed === 'CAPABILITY_AUTO_EXPAND') return !isChangeSet && !given.includes(needed)
    return !given.includes(needed) && !(needed === 'CAPABILITY_IAM' && given.includes('CAPABILITY_NAMED_IAM'))
  })
  if (missing.length > 0)
    throw new ServiceError('InsufficientCapabilitiesException', `Requires capabilities : [${missing.join(', ')}]`)
}

/** The values of all parameters: those that were sent, those that the stack has, and defaults. */
export function readParameters(
  template: JsonObject,
  sent: readonly SentParameter[],
  previous: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const declared = objectOf(template['Parameters'])
  const given = new Map(sent.map((parameter) => [parameter.ParameterKey ?? '', parameter]))
  const unknown = [...given.keys()].filter((name) => !Object.hasOwn(declared, name))
  if (unknown.length > 0)
    throw validationException(`Parameters: [${unknown.join(', ').slice(0, 500)}] do not exist in the template`)
  const values: Record<string, string> = {}
  const missing: string[] = []
  const matching = new PatternMatching()
  for (const [name, declaration] of Object.entries(declared)) {
    const parameter = given.get(name)
    const byDefault = objectOf(declaration)['Default']
    const value =
      parameter?.UsePreviousValue === true
        ? previous[name]
        : (parameter?.ParameterValue ?? (byDefault === undefined ? undefined : plainText(byDefault)))
    if (value === undefined) missing.push(name)
    else {
      assertAllowed(name, objectOf(declaration), value, matching)
      values[name] = value
    }
  }
  if (missing.length > 0) throw validationException(`Parameters: [${missing.join(', ')}] must have values`)
  return values
}

function assertAllowed(name: string, declaration: JsonObject, value: string, matching: PatternMatching): void {
  const { Type, AllowedValues, MinLength, MaxLength, MinValue, MaxValue, AllowedPattern, ConstraintDescription } =
    declaration
  const refuse = (why: string): never => {
    const told = ConstraintDescription === undefined ? why : plainText(ConstraintDescription)
    throw validationException(
      `Parameter '${name}' ${ConstraintDescription === undefined ? told : `failed to satisfy constraint: ${told}`}`,
    )
  }
  if (Array.isArray(AllowedValues) && !AllowedValues.map(plainText).includes(value))
    refuse(`must be one of AllowedValues`)
  if (Type === 'Number') {
    if (!Number.isFinite(Number(value)) || value.trim() === '') refuse('must be a number.')
    if (MinValue !== undefined && Number(value) < Number(MinValue))
      refuse(`must be a number not less than ${plainText(MinValue)}`)
    if (MaxValue !== undefined && Number(value) > Number(MaxValue))
      refuse(`must be a number not greater than ${plainText(MaxValue)}`)
  } else {
    if (MinLength !== undefined && value.length < Number(MinLength))
      refuse(`must contain at least ${plainText(MinLength)} characters`)
    if (MaxLength !== undefined && value.length > Number(MaxLength))
      refuse(`must contain at most ${plainText(MaxLength)} characters`)
  }
  if (typeof AllowedPattern === 'string' && matching.matches(AllowedPattern, value) === false)
    refuse(`must match pattern ${AllowedPattern}`)
}
