import type {
  EntityDescription,
  KeyTemplateDescription,
  ModelDescription,
  PatternDescription,
  SortConditionDescription,
} from '../description.ts'
import { sourcesOf } from '../model/parameters.ts'
import { holesOf } from '../model/resolve-template.ts'

/** How a query finds the items that are still in the old form. */
export interface OldPattern {
  readonly pattern: PatternDescription
  readonly entities: ReadonlySet<string>
  /** Whether their order is another, so that all of them are read and then sorted. */
  readonly isWhole: boolean
  /** A hole of the old partition key that the caller does not give. */
  readonly missing: string | undefined
}

interface Templates {
  readonly partition: readonly KeyTemplateDescription[]
  readonly sort: readonly KeyTemplateDescription[]
}

/** The queries for the old form of what a pattern returns: none if it is found in the same way. */
export function oldPatternsOf(
  pattern: PatternDescription,
  model: ModelDescription,
  old: ModelDescription,
): readonly OldPattern[] {
  const found = new Map<string, OldPattern>()
  for (const kind of pattern.entities) {
    const [now, before] = [model, old].map(({ entities }) => templatesOf(entities, kind, pattern.index))
    const [entity, was] = [model, old].map(({ entities }) => ownerOf(entities, kind))
    if (now === undefined || before === undefined || entity === undefined || was === undefined) continue
    const isSame = placeId(now, entity) === placeId(before, was) && entity.table === was.table
    if (isSame) continue
    const isWhole = textOf(now.sort) !== textOf(before.sort)
    const sort = isWhole ? prefixOf(before.sort) : pattern.sort
    const shard = holesOf(before.partition)
      .map((hole) => was.attributes.find(({ name }) => name === hole))
      .find((attribute) => attribute?.shard !== undefined)
    const { sort: _sort, shards: _shards, limit: _limit, ...rest } = pattern
    const made: PatternDescription = {
      ...rest,
      table: was.table,
      partition: before.partition,
      ...(sort !== undefined && { sort }),
      ...(shard?.shard !== undefined && { shards: { ...shard.shard, attribute: shard.name } }),
    }
    const given = new Set(pattern.parameters.flatMap((each) => (each.kind === 'value' ? [each.name] : [])))
    const missing = holesOf(before.partition).find(
      (hole) => hole !== shard?.name && sourcesOf(hole, was).some((source) => !given.has(source)),
    )
    const id = JSON.stringify([made.table, before.partition, sort, made.shards])
    const known = found.get(id)
    const entities = new Set([...(known?.entities ?? []), kind])
    found.set(id, { pattern: made, entities, isWhole: isWhole || known?.isWhole === true, missing })
  }
  return [...found.values()]
}

export function ownerOf(entities: readonly EntityDescription[], kind: string): EntityDescription | undefined {
  return entities.find(({ name }) => name === kind.split('.')[0])
}

/** The keys that a kind of item has in a table or index. */
export function templatesOf(
  entities: readonly EntityDescription[],
  kind: string,
  index: string | undefined,
): Templates | undefined {
  const entity = ownerOf(entities, kind)
  if (index !== undefined) return entity?.indexKeys.find((each) => each.index === index)
  const key = entity?.name === kind ? entity.key : entity?.satellites.find(({ name }) => name === kind)?.key
  return key && { partition: [key.partition], sort: key.sort === undefined ? [] : [key.sort] }
}

function placeId({ partition, sort }: Templates, { attributes }: EntityDescription): string {
  const shards = holesOf([...partition, ...sort]).map((hole) => attributes.find(({ name }) => name === hole)?.shard)
  return JSON.stringify([textOf(partition), textOf(sort), shards])
}

export function textOf(templates: readonly KeyTemplateDescription[]): string {
  return JSON.stringify(templates.map(({ attribute, text }) => [attribute, text]))
}

/** As much as is always the same. */
function prefixOf(sort: readonly KeyTemplateDescription[]): SortConditionDescription | undefined {
  const [template] = sort
  const [first] = template?.parts ?? []
  if (template === undefined || template.isNative || first?.kind !== 'literal') return undefined
  return { kind: 'prefix', templates: [{ ...template, text: first.text, parts: [first] }] }
}
