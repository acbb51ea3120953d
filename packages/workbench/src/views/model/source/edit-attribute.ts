import { removeLink } from './edit-chain.ts'
import type { EntityPlace, ModelOutline } from './model-outline.ts'
import { chainOf, propertyOf } from './syntax.ts'
import { edited, quoted } from './text-edit.ts'

/** What each type needs between its parentheses to begin with. */
const firstArguments: Readonly<Record<string, (text: (value: string) => string, types: string) => string>> = {
  enum: (text) => `${text('ONE')}, ${text('TWO')}`,
  list: (_, types) => `${types}.string()`,
  set: (_, types) => `${types}.string()`,
  record: (_, types) => `${types}.string()`,
  map: (_, types) => `{ field: ${types}.string() }`,
  shard: () => '4',
}

/** The types that the form offers. Others are written as code. */
export const attributeTypes = [
  'string',
  'number',
  'int',
  'bigint',
  'decimal',
  'boolean',
  'binary',
  'iso',
  'date',
  'ulid',
  'uuid',
  'enum',
  'list',
  'set',
  'map',
  'record',
  'ttl',
  'version',
  'shard',
  'any',
] as const

/** Gives an attribute another type. What else was said of it stays, as far as any type has it. */
export function setAttributeType(
  { source, types }: ModelOutline,
  { attributes }: EntityPlace,
  name: string,
  type: string,
): string {
  const value = propertyOf(source, attributes, name)?.value
  if (value === undefined) return source.text
  const argument = firstArguments[type]?.((text) => quoted(source, text), types) ?? ''
  const chain = chainOf(source, value)
  const first = chain?.root === types ? chain.links[0] : undefined
  if (chain === undefined || first === undefined) {
    return edited(source.text, [{ from: value.from, to: value.to, insert: `${types}.${type}(${argument})` }])
  }
  const fitting = chain.links.slice(1).filter((link) => !general.has(link.name))
  return edited(source.text, [
    { from: first.nameNode.from, to: first.to, insert: `${type}(${argument})` },
    ...fitting.map(removeLink),
  ])
}

/** What can be said of an attribute of any type. */
const general: ReadonlySet<string> = new Set(['optional', 'readOnly', 'describe', 'as'])

/** What stands between the parentheses of the type: the values of an enum, the precision of a date. */
export function setAttributeArgument(
  { source }: ModelOutline,
  { attributes }: EntityPlace,
  name: string,
  argument: string,
): string {
  const value = propertyOf(source, attributes, name)?.value
  const list = value === undefined ? undefined : chainOf(source, value)?.links[0]?.argList
  if (list === undefined) return source.text
  return edited(source.text, [{ from: list.from + 1, to: list.to - 1, insert: argument }])
}

export function setAttributeOptional(
  { source }: ModelOutline,
  { attributes }: EntityPlace,
  name: string,
  isOptional: boolean,
): string {
  const value = propertyOf(source, attributes, name)?.value
  if (value === undefined) return source.text
  const link = chainOf(source, value)?.links.find((each) => each.name === 'optional')
  if (isOptional) {
    return link === undefined
      ? edited(source.text, [{ from: value.to, to: value.to, insert: '.optional()' }])
      : source.text
  }
  return link === undefined ? source.text : edited(source.text, [removeLink(link)])
}
