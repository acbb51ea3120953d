import type { SyntaxNode } from '@lezer/common'
import type { EntityPlace, ModelOutline, PatternPlace } from './model-outline.ts'
import {
  asObject,
  chainOf,
  numberOf,
  objectOf,
  propertiesOf,
  propertyOf,
  stringOf,
  stringsOf,
  textOf,
  type Link,
  type Source,
} from './syntax.ts'

/** A key as the file writes it: a template, attributes of a native key, or code that only the file can show. */
export type KeyText =
  | { readonly kind: 'template'; readonly text: string }
  | { readonly kind: 'native'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }

export interface AttributeForm {
  readonly name: string
  /** `string` of `s.string()`; undefined if it is made in another way. */
  readonly type: string | undefined
  /** What stands between the parentheses of the type. */
  readonly argument: string
  readonly isOptional: boolean
  readonly code: string
}

export interface IndexKeyForm {
  readonly index: string
  readonly pk: KeyText | undefined
  readonly sk: KeyText | undefined
  /** Which items are in it, as code: `{ status: 'open' }`. Empty if all are. */
  readonly when: string
}

/** A further item that is kept beside an entity's own: one that keeps values unique, or one to find it by. */
export interface SatelliteForm {
  readonly kind: 'unique' | 'indexItem'
  /** The attributes of a unique constraint, separated by commas; the name of an index item. */
  readonly name: string
  readonly pk: string
  readonly sk: string
  readonly each: string
  readonly include: string
}

export interface EntityForm {
  readonly name: string
  readonly attributes: readonly AttributeForm[]
  readonly pk: KeyText | undefined
  readonly sk: KeyText | undefined
  readonly indexKeys: readonly IndexKeyForm[]
  readonly satellites: readonly SatelliteForm[]
  /** The table that it is in, where a model has several; empty if it does not say. */
  readonly table: string
  readonly items: number | undefined
  readonly perPartition: number | undefined
}

export function entityForm({ source, types }: ModelOutline, { name, chain, attributes }: EntityPlace): EntityForm {
  const key = asObject(chain.links.find((each) => each.name === 'key')?.args[0])
  const volume = asObject(chain.links.find((each) => each.name === 'volume')?.args[0])
  return {
    name,
    attributes: propertiesOf(source, attributes).map((each) => attributeForm(source, types, each.name, each.value)),
    pk: keyText(source, key, 'pk'),
    sk: keyText(source, key, 'sk'),
    indexKeys: chain.links.filter(isIndex).flatMap((link) => {
      const index = stringOf(source, link.args[0])
      const config = asObject(link.args[1])
      return index === undefined
        ? []
        : [
            {
              index,
              pk: keyText(source, config, 'pk'),
              sk: keyText(source, config, 'sk'),
              when: codeOf(source, config, 'when'),
            },
          ]
    }),
    satellites: chain.links.filter(isSatellite).map((link) => satelliteForm(source, link)),
    table: stringOf(source, chain.links.find((each) => each.name === 'in')?.args[0]) ?? '',
    items: numberOf(source, propertyOf(source, volume, 'items')?.value),
    perPartition: numberOf(source, propertyOf(source, volume, 'perPartition')?.value),
  }
}

export function isSatellite({ name }: Link): boolean {
  return name === 'unique' || name === 'indexItem'
}

function satelliteForm(source: Source, { name: kind, args: [first, second] }: Link): SatelliteForm {
  const config = asObject(second)
  const text = (name: string): string => {
    const value = propertyOf(source, config, name)?.value
    return stringOf(source, value) ?? stringsOf(source, value)?.join(', ') ?? ''
  }
  return {
    kind: kind === 'unique' ? 'unique' : 'indexItem',
    name: stringOf(source, first) ?? stringsOf(source, first)?.join(', ') ?? '',
    pk: text('pk'),
    sk: text('sk'),
    each: text('each'),
    include: text('include'),
  }
}

function codeOf(source: Source, object: SyntaxNode | undefined, name: string): string {
  const value = propertyOf(source, object, name)?.value
  return value === undefined ? '' : textOf(source, value)
}

export function isIndex({ name }: Link): boolean {
  return name === 'index'
}

function attributeForm(source: Source, types: string, name: string, value: SyntaxNode): AttributeForm {
  const code = textOf(source, value)
  const chain = chainOf(source, value)
  const [first, ...rest] = chain?.root === types && chain.args === undefined ? chain.links : []
  return {
    name,
    type: first?.name,
    argument: first === undefined ? '' : textOf(source, { from: first.argList.from + 1, to: first.argList.to - 1 }),
    isOptional: (first === undefined ? (chain?.links ?? []) : rest).some((link) => link.name === 'optional'),
    code,
  }
}

function keyText(source: Source, object: SyntaxNode | undefined, name: string): KeyText | undefined {
  const value = propertyOf(source, object, name)?.value
  if (value === undefined) return undefined
  const text = stringOf(source, value)
  if (text !== undefined) return { kind: 'template', text }
  const list = stringsOf(source, value)
  if (list !== undefined) return { kind: 'native', text: list.join(', ') }
  return { kind: 'code', text: textOf(source, value) }
}

export interface IndexForm {
  readonly name: string
  readonly pk: string
  readonly sk: string
  /** `ALL`, `KEYS_ONLY`, or the attributes, separated by commas. */
  readonly projection: string
  readonly entities: readonly (IndexKeyForm & { readonly entity: string })[]
}

/** Where tables say what their indexes are like. */
function configLists({ source, table, tables }: ModelOutline): readonly SyntaxNode[] {
  return [...(table === undefined ? [] : [table]), ...tables.map(({ config }) => config)].flatMap(
    (each) => objectOf(source, each, 'indexes') ?? [],
  )
}

/** The indexes that entities have keys in, and those that only the table names. */
export function indexForms(outline: ModelOutline): readonly IndexForm[] {
  const { source, entities } = outline
  const keys = entities.flatMap((entity) =>
    entityForm(outline, entity).indexKeys.map((each) => ({ ...each, entity: entity.name })),
  )
  const lists = configLists(outline)
  const named = lists.flatMap((list) => propertiesOf(source, list).map(({ name }) => name))
  return [...new Set([...keys.map(({ index }) => index), ...named])].map((name) => {
    const config = objectOf(
      source,
      lists.find((list) => propertyOf(source, list, name) !== undefined),
      name,
    )
    const projection = propertyOf(source, config, 'projection')?.value
    return {
      name,
      pk: stringOf(source, propertyOf(source, config, 'pk')?.value) ?? '',
      sk: stringOf(source, propertyOf(source, config, 'sk')?.value) ?? '',
      projection: stringOf(source, projection) ?? stringsOf(source, projection)?.join(', ') ?? 'ALL',
      entities: keys.filter(({ index }) => index === name),
    }
  })
}

export interface PatternForm {
  readonly name: string
  /** `get` of `p.get(…)`; undefined if it is made in another way. */
  readonly action: string | undefined
  /** The entity that it names first. */
  readonly entity: string | undefined
  /** The constant texts among its options, by name. */
  readonly texts: Readonly<Record<string, string>>
  readonly limit: number | undefined
  /** By the names that the library has for them. */
  readonly traffic: Figures
  readonly budget: Figures
  /** Of a transaction: how many there are of each, such as `Order.create`. Undefined if code makes them. */
  readonly steps: readonly StepForm[] | undefined
  readonly isConsistent: boolean
  readonly code: string
}

export type Figures = Readonly<Record<string, number | undefined>>

export interface StepForm {
  readonly entity: string
  readonly action: string
  readonly count: number | undefined
}

function figuresOf(source: Source, object: SyntaxNode | undefined): Figures {
  if (object === undefined) return {}
  return Object.fromEntries(propertiesOf(source, object).map(({ name, value }) => [name, numberOf(source, value)]))
}

/** The object of a transaction's steps. */
export function stepsOf(link: Link | undefined): SyntaxNode | undefined {
  return link?.name === 'transact' ? asObject(link.args[0]) : undefined
}

function stepForms(source: Source, steps: SyntaxNode | undefined): readonly StepForm[] | undefined {
  return steps === undefined
    ? undefined
    : propertiesOf(source, steps).map(({ name, value }) => {
        const point = name.lastIndexOf('.')
        return { entity: name.slice(0, point), action: name.slice(point + 1), count: numberOf(source, value) }
      })
}

export function patternForm({ source }: ModelOutline, { name, property, chain }: PatternPlace): PatternForm {
  const link = chain?.links[0]
  const options = optionsOf(link)
  const texts = (options === undefined ? [] : propertiesOf(source, options)).flatMap((each) => {
    const text = stringOf(source, each.value) ?? stringsOf(source, each.value)?.join(', ')
    return text === undefined ? [] : [[each.name, text] as const]
  })
  return {
    name,
    action: link?.name,
    entity: stringOf(source, link?.args[0]),
    texts: Object.fromEntries(texts),
    limit: numberOf(source, propertyOf(source, options, 'limit')?.value),
    traffic: figuresOf(source, objectOf(source, options, 'traffic')),
    budget: figuresOf(source, objectOf(source, options, 'budget')),
    steps: stepForms(source, stepsOf(link)),
    isConsistent:
      propertyOf(source, options, 'consistent')?.value.name === 'BooleanLiteral'
        ? textOf(source, propertyOf(source, options, 'consistent')?.value ?? source.top) === 'true'
        : false,
    code: dedented(textOf(source, property.value)),
  }
}

/** Code as it would stand at the beginning of a line. */
function dedented(code: string): string {
  const indents = [...code.matchAll(/\n([ \t]*)\S/g)].map(([, indent = '']) => indent.length)
  const least = Math.min(...indents)
  return indents.length === 0 ? code : code.replaceAll(new RegExp(`\\n[ \\t]{${String(least)}}`, 'g'), '\n')
}

/** The object of a pattern's options: the only argument of a query or a scan, and the last one of others. */
export function optionsOf(link: Link | undefined): SyntaxNode | undefined {
  if (link === undefined) return undefined
  const last = asObject(link.args.at(-1))
  return link.name === 'transact' && link.args.length < 2 ? undefined : last
}
