import { jsKey, wrapped } from '../../../codegen/javascript-values.ts'
import { modelValue, NoModelCode } from '../../../codegen/model-value.ts'
import type { AttributeValue } from '../../../api-types.ts'
import { parseValue } from '../draft/value-text.ts'
import { pathInModel } from './model-condition.ts'
import { primaryNames, type WriteSubject } from './model-subject.ts'
import type { AttributeChange } from './write-draft.ts'

/** `{ name: 'Asha', loans: add(1), note: remove() }`. */
export function changesCode(changes: readonly AttributeChange[], subject: WriteSubject): string {
  const parts = new Map<string, string>()
  const changed = new Set<string>()
  for (const change of changes) {
    if (change.path.trim() === '') continue
    const { path, name, type } = pathInModel(change.path, '', subject)
    assertChangeable(name, subject)
    changed.add(name)
    parts.set(path, changeCode(change, type, path, subject))
  }
  assertWholeKeys(changed, subject)
  return wrapped(
    '{',
    [...parts].map(([path, code]) => `${jsKey(path)}: ${code}`),
    '}',
  )
}

function changeCode(
  { action, type, value }: AttributeChange,
  described: ReturnType<typeof pathInModel>['type'],
  path: string,
  { operators }: WriteSubject,
): string {
  const element = (each: AttributeValue): string => modelValue(each, described?.element, path)
  const given = (): AttributeValue => parseValue(value, action === 'append' ? 'L' : type)
  switch (action) {
    case 'set':
      return modelValue(given(), described, path)
    case 'default':
      return operators.call('ifAbsent', [modelValue(given(), described, path)])
    case 'remove':
      return operators.call('remove', [])
    case 'append':
      return operators.call('append', elementsOf(given()).map(element))
    case 'add': {
      const amount = given()
      if ('N' in amount) return operators.call('add', [modelValue(amount, described, path)])
      return operators.call('addToSet', elementsOf(amount).map(element))
    }
    case 'delete':
      return operators.call('removeFromSet', elementsOf(given()).map(element))
  }
}

function elementsOf(value: AttributeValue): readonly AttributeValue[] {
  if ('L' in value) return value.L
  if ('SS' in value) return value.SS.map((S) => ({ S }))
  if ('NS' in value) return value.NS.map((N) => ({ N }))
  if ('BS' in value) return value.BS.map((B) => ({ B }))
  return [value]
}

function assertChangeable(name: string, { entity }: WriteSubject): void {
  const attribute = entity.attributes.find((each) => each.name === name)
  if (primaryNames(entity).has(name)) {
    throw new NoModelCode(`${name} is part of the primary key: delete the item, and create another.`)
  }
  if (attribute?.isReadOnly === true || attribute?.computedFrom !== undefined || attribute?.type === 'version') {
    throw new NoModelCode(`${name} of ${entity.name} is read-only, computed, or kept by the library.`)
  }
}

/** Whoever changes one part of a composed key of an index gives all of them. */
function assertWholeKeys(changed: ReadonlySet<string>, { entity }: WriteSubject): void {
  const primary = primaryNames(entity)
  for (const { index, partition, sort, when = [] } of entity.indexKeys) {
    for (const template of [...partition, ...sort]) {
      if (template.isNative) continue
      const holes = template.parts.flatMap((part) => (part.kind === 'hole' ? [part.attribute] : []))
      const parts = [...holes, ...when.map(({ attribute }) => attribute)].filter((name) => {
        const { type } = entity.attributes.find((each) => each.name === name) ?? {}
        return !primary.has(name) && type !== 'shard'
      })
      const missing = parts.find((name) => !changed.has(name))
      const given = parts.find((name) => changed.has(name))
      if (given !== undefined && missing !== undefined) {
        throw new NoModelCode(
          `${given} and ${missing} make one key of the index ${index}: change both, or use db.${entity.name}.modify(…), which reads the item.`,
        )
      }
    }
  }
}
