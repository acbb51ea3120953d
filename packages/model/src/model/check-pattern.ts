import type { EntityDescription } from '../description.ts'
import { checkPlace, checkQuery, invalidPattern } from './check-query.ts'
import { attributeIn, primaryInputsOf } from './parameters.ts'
import type { PatternDefinition } from './patterns.ts'
import type { ResolvedModel } from './resolve-pattern.ts'
import { placeOf } from './resolve-query.ts'

/** What is wrong with a pattern. */
export function checkPattern(name: string, definition: PatternDefinition, model: ResolvedModel): void {
  const { action, scan = {}, options, via, changes = [], steps = {} } = definition
  if (action === 'query') checkQuery(name, definition, model)
  if (action === 'scan') checkPlace(name, scan.on, placeOf(scan.on, model), options.consistent, model.tables)
  if (action === 'transact' && Object.keys(steps).length === 0) throw invalidPattern(name, 'has no steps')
  const entities = definition.entities.map((entity) => entityOf(name, entity, model))
  const [entity] = entities
  if (entity === undefined) return
  checkChanges(name, entity, changes)
  if (action !== 'lookup' || entity.satellites.some((each) => each.name === via)) return
  throw invalidPattern(
    name,
    `looks up ${entity.name} by ${via}, which it does not have. Add .unique() or .indexItem()`,
  )
}

/** A pattern that says it changes what cannot be changed could never be called. */
function checkChanges(pattern: string, entity: EntityDescription, changes: readonly string[]): void {
  const primary = new Set(primaryInputsOf(entity))
  for (const change of changes) {
    const attribute = attributeIn(change, [entity])
    const fault =
      attribute === undefined
        ? `is not an attribute of ${entity.name}`
        : primary.has(change)
          ? 'is part of the primary key, which cannot be changed'
          : attribute.isReadOnly
            ? 'is read-only'
            : attribute.computedFrom !== undefined || !attribute.isStored
              ? 'is computed from other attributes'
              : attribute.type === 'version'
                ? 'is maintained by the library'
                : undefined
    if (fault !== undefined)
      throw invalidPattern(pattern, `changes ${change}, which ${fault}. Remove it from changes`)
  }
}

function entityOf(pattern: string, name: string, { entities }: ResolvedModel): EntityDescription {
  const entity = entities.find((each) => each.name === name)
  if (entity !== undefined) return entity
  throw invalidPattern(
    pattern,
    `names the entity ${name}, which is not in the model. The entities are ${entities.map((each) => each.name).join(', ')}`,
  )
}
