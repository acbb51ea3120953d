import type { Scope } from '@hashrange/engine'
import { evaluate, isSame, Unresolved, type JsonObject, kindOf } from '@hashrange/templates'
import type { StackRecord, StackResource, StackVersion } from '../records/stack-record.ts'
import { declaredResources } from './declared-resources.ts'
import { readTemplate } from './read-template.ts'
import { StackValues } from './stack-values.ts'

/** What a change set shows: what would be added, modified and removed. Values that are not known before are taken as
 *  changed. */
export function planChanges(
  scope: Scope,
  stack: Pick<StackRecord, 'name' | 'uid' | 'resources'>,
  version: StackVersion,
  exports: ReadonlyMap<string, string>,
): readonly JsonObject[] {
  const { resources } = stack
  const values = new StackValues({
    scope,
    stack,
    version,
    document: readTemplate(version.template),
    resources,
    exports,
  })
  const declared = declaredResources(values)
  const added: JsonObject[] = []
  for (const { id, type, properties } of declared) {
    const before = Object.hasOwn(resources, id) ? resources[id] : undefined
    if (before === undefined) added.push(change('Add', id, type))
    else {
      const evaluated = evaluate(properties, values)
      const after = withTags(
        type,
        evaluated instanceof Unresolved ? {} : ((evaluated ?? {}) as JsonObject),
        version,
      )
      const modified = modification(scope, before, type, after)
      if (modified !== undefined) added.push(modified)
    }
  }
  const kept = new Set(declared.map(({ id }) => id))
  const removed = Object.values(resources).filter(({ logicalId }) => !kept.has(logicalId))
  return [
    ...added,
    ...removed.map(({ logicalId, type, physicalId }) =>
      change('Remove', logicalId, type, { PhysicalResourceId: physicalId }),
    ),
  ]
}

function modification(
  { region }: Scope,
  before: StackResource,
  type: string,
  after: JsonObject,
): JsonObject | undefined {
  const names = [...new Set([...Object.keys(before.properties), ...Object.keys(after)])]
  const changed = names.filter((name) => !isSame(before.properties[name] ?? null, after[name] ?? null))
  if (changed.length === 0 && before.type === type) return undefined
  const replaced = kindOf(type, after, region)?.replacedBy(before.properties, after) ?? []
  const isReplaced = replaced.length > 0 || before.type !== type
  return change('Modify', before.logicalId, type, {
    PhysicalResourceId: before.physicalId,
    Replacement: isReplaced ? 'True' : 'False',
    Scope: [...new Set(changed.map((name) => (name === 'Tags' ? 'Tags' : 'Properties')))],
    Details: changed.map((name) => ({
      Target: {
        Attribute: name === 'Tags' ? 'Tags' : 'Properties',
        ...(name !== 'Tags' && { Name: name }),
        RequiresRecreation: replaced.includes(name) ? 'Always' : 'Never',
      },
      Evaluation: 'Static',
      ChangeSource: 'DirectModification',
    })),
  })
}

function change(
  Action: string,
  LogicalResourceId: string,
  ResourceType: string,
  more: JsonObject = {},
): JsonObject {
  const ResourceChange = { Action, LogicalResourceId, ResourceType, Scope: [], Details: [], ...more }
  return { Type: 'Resource', ResourceChange }
}

/** The tags of a stack are those of its tables too, unless a table has its own. */
export function withTags(type: string, properties: JsonObject, { tags }: StackVersion): JsonObject {
  if (tags.length === 0 || type !== 'AWS::DynamoDB::Table') return properties
  const own = Array.isArray(properties['Tags']) ? (properties['Tags'] as readonly { readonly Key: string }[]) : []
  const names = new Set(own.map(({ Key }) => Key))
  return { ...properties, Tags: [...own, ...tags.filter(({ Key }) => !names.has(Key))] }
}
