import { validationException } from '@hashrange/core'
import { isObject, listOf, plainText, type Json, type JsonObject } from '@hashrange/templates'

import { mostResources } from './read-template.ts'
import type { StackValues } from './stack-values.ts'

export interface DeclaredResource {
  readonly id: string
  readonly type: string
  readonly properties: JsonObject
  readonly dependsOn: readonly string[]
  readonly deletionPolicy: string
  readonly updateReplacePolicy: string
}

/** The resources whose conditions hold, each after what it depends on. */
export function declaredResources({
  template,
  isTransformed,
}: Pick<StackValues, 'template' | 'isTransformed'>): readonly DeclaredResource[] {
  const found = new Map<string, DeclaredResource>()
  const all = [...template.resources()]
  if (all.length > mostResources)
    throw validationException(
      `Template format error: Number of resources, ${all.length}, is greater than maximum allowed, ${mostResources}`,
    )
  const names = new Set(all.map(({ id }) => id))
  for (const { id, type, properties, declaration, unknown } of all) {
    if (unknown !== undefined) throw validationException(`Template error: ${unknown}`)
    const { DependsOn, DeletionPolicy, UpdateReplacePolicy } = declaration
    const named = Array.isArray(DependsOn) ? listOf(DependsOn) : DependsOn === undefined ? [] : [DependsOn]
    const used = new Set(named.map(plainText))
    collect(properties, used, 0)
    const dependsOn = [...used].filter((name) => names.has(name) && name !== id)
    found.set(id, {
      id,
      type,
      properties,
      dependsOn,
      deletionPolicy: typeof DeletionPolicy === 'string' ? DeletionPolicy : 'Delete',
      updateReplacePolicy: typeof UpdateReplacePolicy === 'string' ? UpdateReplacePolicy : 'Delete',
    })
  }
  return inOrder(found, isTransformed ? ({ type }) => type.startsWith('AWS::Serverless::') : () => false)
}

/** The names that functions in a value refer to. */
function collect(value: Json, used: Set<string>, depth: number): void {
  if (depth > 100) return
  if (Array.isArray(value)) for (const part of value as readonly Json[]) collect(part, used, depth + 1)
  if (!isObject(value)) return
  for (const [name, part] of Object.entries(value)) {
    if (name === 'Ref' && typeof part === 'string') used.add(part)
    else if (name === 'Fn::GetAtt') used.add(plainText(Array.isArray(part) ? part[0] : part).split('.', 1)[0] ?? '')
    else if (name === 'Fn::Sub') {
      const text = plainText(Array.isArray(part) ? part[0] : part)
      for (const [, reference = ''] of text.matchAll(/\$\{([^!{}][^{}]*)\}/g))
        used.add(reference.trim().split('.', 1)[0] ?? '')
      if (Array.isArray(part)) collect(part, used, depth + 1)
    } else collect(part, used, depth + 1)
  }
}

/** SAM's resources may name each other: what it makes of them does not. */
function inOrder(
  found: ReadonlyMap<string, DeclaredResource>,
  mayCircle: (resource: DeclaredResource) => boolean,
): readonly DeclaredResource[] {
  const ordered: DeclaredResource[] = []
  const done = new Set<string>()
  let left = [...found.values()]
  while (left.length > 0) {
    const free = left.filter(({ dependsOn }) => dependsOn.every((name) => done.has(name)))
    const ready = free.length > 0 ? free : left.filter(mayCircle).slice(0, 1)
    if (ready.length === 0)
      throw validationException(`Circular dependency between resources: [${left.map(({ id }) => id).join(', ')}]`)
    for (const resource of ready) done.add(resource.id)
    ordered.push(...ready)
    left = left.filter(({ id }) => !done.has(id))
  }
  return ordered
}
