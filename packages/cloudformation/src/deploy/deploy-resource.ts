import { validationException } from '@hashrange/core'
import {
  evaluate,
  functionNameOf,
  isSame,
  kindOf,
  plainText,
  Unresolved,
  type JsonObject,
  type ResourceKind,
  type ResourcePlan,
} from '@hashrange/templates'
import type { StackResource } from '../records/stack-record.ts'
import type { DeclaredResource } from '../stacks/declared-resources.ts'
import { withTags } from '../stacks/plan-changes.ts'
import type { StackValues } from '../stacks/stack-values.ts'
import { putResource } from './put-resource.ts'
import type { StackWork } from './stack-work.ts'

/** Makes one resource as it is declared: creates, updates or replaces it, or sees that nothing has changed. */
export async function deployResource(
  work: StackWork,
  declared: DeclaredResource,
  values: StackValues,
): Promise<void> {
  const { operation, cf, scope, port } = work
  const current = Object.hasOwn(work.stack.resources, declared.id) ? work.stack.resources[declared.id] : undefined
  const isBegun = current?.operationId === operation.id
  if (isBegun && current.status.endsWith('_COMPLETE')) return
  const before = isBegun ? current.before : current
  const common = {
    logicalId: declared.id,
    type: declared.type,
    dependsOn: declared.dependsOn,
    deletionPolicy: declared.deletionPolicy,
    updateReplacePolicy: declared.updateReplacePolicy,
    operationId: operation.id,
    before,
  }
  const verb = before === undefined ? 'CREATE' : 'UPDATE'
  let resource: StackResource = {
    ...common,
    physicalId: before?.physicalId ?? '',
    status: `${verb}_FAILED`,
    properties: before?.properties ?? {},
    attributes: before?.attributes ?? {},
    isThere: false,
    changedAtMs: cf.clock.now(),
  }
  try {
    const properties = propertiesOf(work, declared, values)
    const kind = kindOf(declared.type, properties, scope.region)
    if (before !== undefined && before.type === declared.type && isSame(before.properties, properties)) {
      // Nothing happens to it, and nothing is told of it.
      const { before: _, ...same } = { ...before, ...common, operationId: before.operationId }
      if (!isSame(JSON.parse(JSON.stringify(same)) as JsonObject, JSON.parse(JSON.stringify(before)) as JsonObject))
        await work.save({ resources: { ...work.stack.resources, [declared.id]: same } })
      return
    }
    const replaced = before === undefined ? [] : (kind?.replacedBy(before.properties, properties) ?? [])
    const isNew = before === undefined || before.type !== declared.type || replaced.length > 0
    const given = kind?.nameOf(properties)
    if (isNew && before !== undefined && given !== undefined && given === before.physicalId)
      throw validationException(
        `CloudFormation cannot update a stack when a custom-named resource requires replacing. Rename ${given} and update the stack again.`,
      )
    const physicalId =
      isBegun && current.physicalId !== ''
        ? current.physicalId
        : isNew
          ? (given ?? qualifiedArn(work, declared.type, properties) ?? newName(work, declared))
          : before.physicalId
    resource = { ...resource, physicalId, properties }
    const plan = await planOf(work, kind, declared.type, physicalId, properties)
    if (isNew && !isBegun && plan !== undefined && plan.kind !== 'create' && plan.kind !== 'skipped')
      throw validationException(
        `Resource of type '${declared.type}' with identifier '${physicalId}' already exists.`,
      )
    // From here on, what is there under this name is this stack's.
    const isHere = kind !== undefined && plan !== undefined && plan.kind !== 'skipped'
    const isThere = isHere || (!isNew && before.isThere)
    resource = { ...resource, isThere, status: `${verb}_IN_PROGRESS`, changedAtMs: cf.clock.now() }
    if (isHere && (!isBegun || current.status !== resource.status)) await work.saveResource(resource)
    const made = isHere ? await putResource(port, kind, physicalId, properties, plan) : physicalId
    const attributes = isHere ? await kind.attributes(port, made, properties) : {}
    const skipped = plan?.reason ?? `this server has no ${declared.type}`
    resource = {
      ...resource,
      physicalId: made,
      attributes,
      status: `${verb}_COMPLETE`,
      reason: isHere ? undefined : `Skipped: ${skipped.replace(/\.$/, '')}. Nothing was created.`,
      changedAtMs: cf.clock.now(),
    }
    const left =
      isNew && before !== undefined && before.isThere
        ? [...work.stack.replaced, { ...before, updateReplacePolicy: declared.updateReplacePolicy }]
        : work.stack.replaced
    await work.saveResource(resource, { replaced: left })
  } catch (error) {
    const reason = work.reasonOf(error)
    const isTaken = error instanceof Error && 'code' in error && error.code === 'ResourceInUseException'
    const failed = { ...resource, status: `${verb}_FAILED`, reason, changedAtMs: cf.clock.now() }
    await work.saveResource(isTaken && verb === 'CREATE' ? { ...failed, isThere: false } : failed)
    throw new ResourceFailed(declared.id, verb)
  }
}

export class ResourceFailed extends Error {
  readonly logicalId: string
  readonly verb: 'CREATE' | 'UPDATE'

  constructor(logicalId: string, verb: 'CREATE' | 'UPDATE') {
    super(logicalId)
    this.logicalId = logicalId
    this.verb = verb
  }
}

function propertiesOf(work: StackWork, declared: DeclaredResource, values: StackValues): JsonObject {
  if (declared.type === 'AWS::CloudFormation::Stack')
    throw validationException('This server has no nested stacks. Deploy the nested template as a stack of its own.')
  const missing: Unresolved[] = []
  const evaluated = evaluate(declared.properties, values, missing)
  const problem = evaluated instanceof Unresolved ? evaluated : missing[0]
  const properties = evaluated instanceof Unresolved ? {} : ((evaluated ?? {}) as JsonObject)
  const { operation, scope } = work
  const isHere = kindOf(declared.type, properties, scope.region) !== undefined
  if (problem !== undefined && isHere) throw validationException(`Template error: ${problem.reason}`)
  return operation.wanted === undefined ? properties : withTags(declared.type, properties, operation.wanted)
}

/** Undefined where nothing like it is here. */
async function planOf(
  { port, cf }: StackWork,
  kind: ResourceKind | undefined,
  type: string,
  id: string,
  properties: JsonObject,
): Promise<ResourcePlan | undefined> {
  const reason = isFunction(type) ? cf.options.whyNoUploads : undefined
  return reason === undefined ? kind?.plan(port, id, properties) : { kind: 'skipped', steps: [], reason }
}

function isFunction(type: string): boolean {
  return type === 'AWS::Lambda::Function' || type === 'AWS::Serverless::Function'
}

/** Functions have no aliases and versions here, but what they are called leads to their function, as on AWS. */
function qualifiedArn({ scope }: StackWork, type: string, { FunctionName, Name }: JsonObject): string | undefined {
  if (type !== 'AWS::Lambda::Alias' && type !== 'AWS::Lambda::Version') return undefined
  const name = functionNameOf(plainText(FunctionName ?? ''))
  return `arn:aws:lambda:${scope.region}:${scope.accountId}:function:${name}:${plainText(Name ?? '1')}`
}

/** `shop-Orders-1A2B3C4D5E6F7`, and never longer than any name may be. Those of functions are shorter. */
function newName({ stack, cf }: StackWork, { id, type }: DeclaredResource): string {
  const chance = cf.randomness.uuid().replaceAll('-', '').slice(0, 13).toUpperCase()
  const most = isFunction(type) ? 24 : 100
  return `${stack.name.slice(0, most)}-${id.slice(0, most)}-${chance}`
}
