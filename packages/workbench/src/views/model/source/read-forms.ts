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
}

export interface EntityForm {
  readonly name: string
  readonly attributes: readonly AttributeForm[]
  readonly pk: KeyText | undefined
  readonly sk: KeyText | undefined
  readonly indexKeys: readonly IndexKeyForm[]
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
        : [{ index, pk: keyText(source, config, 'pk'), sk: keyText(source, config, 'sk') }]
    }),
    items: numberOf(source, propertyOf(source, volume, 'items')?.value),
    perPartition: numberOf(source, propertyOf(source, volume, 'perPartition')?.value),
  }
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

/** The indexes that entities have keys in, and those that only the table names. */
export function indexForms(outline: ModelOutline): readonly IndexForm[] {
  const { source, table, entities } = outline
  const keys = entities.flatMap((entity) =>
    entityForm(outline, entity).indexKeys.map((each) => ({ ...each, entity: entity.name })),
  )
  const configs = objectOf(source, table, 'indexes')
  const named = configs === undefined ? [] : propertiesOf(source, configs).map(({ name }) => name)
  return [...new Set([...keys.map(({ index }) => index), ...named])].map((name) => {
    const config = objectOf(source, configs, name)
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
  readonly rate: number | undefined
  readonly peakRate: number | undefined
  readonly isConsistent: boolean
  readonly code: string
}

export function patternForm({ source }: ModelOutline, { name, property, chain }: PatternPlace): PatternForm {
  const link = chain?.links[0]
  const options = optionsOf(link)
  const traffic = objectOf(source, options, 'traffic')
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
    rate: numberOf(source, propertyOf(source, traffic, 'rate')?.value),
    peakRate: numberOf(source, propertyOf(source, traffic, 'peakRate')?.value),
    isConsistent:
      propertyOf(source, options, 'consistent')?.value.name === 'BooleanLiteral'
        ? textOf(source, propertyOf(source, options, 'consistent')?.value ?? source.top) === 'true'
        : false,
    code: textOf(source, property.value),
  }
}

/** The object of a pattern's options: the only argument of a query or a scan, and the last one of others. */
export function optionsOf(link: Link | undefined): SyntaxNode | undefined {
  if (link === undefined) return undefined
  const last = asObject(link.args.at(-1))
  return link.name === 'transact' && link.args.length < 2 ? undefined : last
}
