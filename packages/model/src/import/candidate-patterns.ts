import type {
  EntityDescription,
  KeyTemplateDescription,
  ModelDescription,
  PatternAction,
  PatternDescription,
  PatternOperation,
  SortConditionDescription,
} from '../description.ts'
import { camelCase } from '../export/source-text.ts'
import { holesOf, shapeOf } from '../model/resolve-template.ts'
import { textOfTemplates } from '../model/text-of-templates.ts'

/** A pattern that the keys of a model allow, and how likely it is that someone uses it. */
export interface CandidatePattern {
  readonly pattern: PatternDescription
  /** Whether it is worth having where nobody knows what is used. */
  readonly isUsual: boolean
}

/** Every pattern that the keys of a model allow: gets and writes of each entity, queries of each partition. */
export function candidatePatterns(model: ModelDescription): readonly CandidatePattern[] {
  const names = new Set(model.entities.map(({ name }) => name))
  const made: CandidatePattern[] = []
  const add = (wanted: string, isUsual: boolean, body: Omit<PatternDescription, 'name'>): void => {
    let name = camelCase(wanted)
    for (let n = 2; names.has(name); n++) name = `${camelCase(wanted)}${n}`
    names.add(name)
    made.push({ isUsual, pattern: { name, ...body } })
  }
  for (const entity of model.entities) {
    for (const [action, operation] of itemActions) {
      const isUsual = action === 'get' || action === 'create'
      add(`${action} ${entity.name}`, isUsual, {
        ...bare,
        action,
        operation,
        table: entity.table,
        entities: [entity.name],
      })
    }
  }
  for (const query of queriesOf(model)) add(query.wanted, query.isUsual, query.body)
  return made
}

const itemActions: readonly (readonly [PatternAction, PatternOperation])[] = [
  ['get', 'GetItem'],
  ['create', 'PutItem'],
  ['put', 'PutItem'],
  ['update', 'UpdateItem'],
  ['delete', 'DeleteItem'],
]

const bare = { order: 'ascending', isConsistent: false, parameters: [], traffic: {}, budget: {} } as const

interface Query {
  readonly wanted: string
  readonly isUsual: boolean
  readonly body: Omit<PatternDescription, 'name'>
}

interface Place {
  readonly entity: EntityDescription
  readonly index?: string
  readonly partition: readonly KeyTemplateDescription[]
  readonly sort: readonly KeyTemplateDescription[]
}

function queriesOf({ entities }: ModelDescription): readonly Query[] {
  const groups = new Map<string, Place[]>()
  for (const place of entities.flatMap(placesOf)) {
    const id = JSON.stringify([place.entity.table, place.index, shapeOf(place.partition)])
    groups.set(id, [...(groups.get(id) ?? []), place])
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const fixed = new Set(holesOf(first.partition))
    const isCollection =
      group.length > 1 || group.some(({ sort }) => holesOf(sort).some((hole) => !fixed.has(hole)))
    // A partition that holds one item is got, not searched; one of an index can only be searched.
    if (first.index === undefined && !isCollection) return []
    const holes =
      [...fixed].join(' and ') || first.index || textOfTemplates(first.partition).replaceAll(/\W+/g, ' ')
    const wanted = `by ${holes}`
    const orders = ['ascending', 'descending'] as const
    return orders.flatMap((order): readonly Query[] => {
      const suffix = order === 'descending' ? ' latest' : ''
      const isUsual = order === 'ascending'
      const kinds = group.length === 1 ? first.entity.name : 'list'
      const whole: Query = { wanted: `${kinds} ${wanted}${suffix}`, isUsual, body: bodyOf(first, group, order) }
      const parts = group.flatMap((place): readonly Query[] => {
        const prefix = prefixOf(place)
        if (prefix === undefined) return []
        const same = group.filter(({ sort }) => sort[0]?.text.startsWith(prefix.text) === true)
        // Where there is nothing else in the partition, the whole of it has the plain name.
        const items = group.length === 1 ? ' items' : ''
        const name = `${place.entity.name}${items} ${wanted}${suffix}`
        const sort: SortConditionDescription = { kind: 'prefix', templates: [prefix] }
        return [
          { wanted: name, isUsual: isUsual && group.length > 1, body: { ...bodyOf(place, same, order), sort } },
        ]
      })
      return [whole, ...parts]
    })
  })
}

function bodyOf(
  { entity, index, partition }: Place,
  group: readonly Place[],
  order: 'ascending' | 'descending',
): Omit<PatternDescription, 'name'> {
  return {
    ...bare,
    order,
    action: 'query',
    operation: 'Query',
    table: entity.table,
    ...(index !== undefined && { index }),
    entities: group.map((each) => each.entity.name),
    partition,
  }
}

function placesOf(entity: EntityDescription): readonly Place[] {
  const { partition, sort } = entity.key
  return [
    { entity, partition: [partition], sort: sort === undefined ? [] : [sort] },
    ...entity.indexKeys.map((key) => ({ entity, index: key.index, partition: key.partition, sort: key.sort })),
  ]
}

/** The text with which all sort keys of an entity begin. */
function prefixOf({ sort }: Place): KeyTemplateDescription | undefined {
  const [template] = sort
  const [first] = template?.parts ?? []
  if (template === undefined || first?.kind !== 'literal' || template.parts.length < 2) return undefined
  return { ...template, text: first.text, parts: [first] }
}
