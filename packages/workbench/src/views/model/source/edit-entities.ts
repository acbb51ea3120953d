import type { SyntaxNode } from '@lezer/common'
import { addLink, removeLink } from './edit-chain.ts'
import { addProperty, firstComment, removeProperty, renameProperty, setProperty } from './edit-object.ts'
import { importsIn, type EntityPlace, type ModelOutline } from './model-outline.ts'
import { isIndex, type KeyText } from './read-forms.ts'
import {
  asObject,
  nodesIn,
  objectOf,
  propertiesOf,
  propertyOf,
  stringOf,
  textOf,
  type Link,
  type Source,
} from './syntax.ts'
import { edited, lineStart, listText, newlineOf, numberText, quoted, type TextEdit } from './text-edit.ts'

/** Adds an entity before the model, with an id of its own and a key made of it. */
export function addEntity({ source, model, entityList, entities, types }: ModelOutline, name: string): string {
  const id = `${name.slice(0, 1).toLowerCase()}${name.slice(1)}Id`
  const upper = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_').toUpperCase()
  const hasSort = entities.length === 0 || entities.some(({ chain }) => hasSortKey(source, chain.links))
  const key = [`pk: ${quoted(source, `${upper}#{${id}}`)}`, ...(hasSort ? [`sk: ${quoted(source, upper)}`] : [])]
  const newline = newlineOf(source)
  const lines = [
    `const ${name} = entity(${quoted(source, name)}, {`,
    `  ${id}: ${types}.ulid().default(ulid),`,
    '})',
    `  .key({ ${key.join(', ')} })`,
    '',
    '',
  ]
  const statement = firstComment(source, statementOf(model))
  const at = lineStart(source.text, statement.from)
  return edited(source.text, [
    ...withImports(source, ['ulid']),
    { from: at, to: at, insert: lines.join(newline) },
    ...(entityList === undefined
      ? addProperty(source, model, 'entities', `{ ${name} }`)
      : addProperty(source, entityList, name, name)),
  ])
}

function hasSortKey(source: Source, links: readonly Link[]): boolean {
  const key = asObject(links.find(({ name }) => name === 'key')?.args[0])
  return propertyOf(source, key, 'sk') !== undefined
}

/** Takes away an entity, and the patterns that are about it alone. */
export function removeEntity(outline: ModelOutline, entity: EntityPlace): string {
  const { source, entityList, patterns } = outline
  const listed = entityList === undefined ? [] : propertiesOf(source, entityList)
  const entry = listed.find(({ name }) => name === entity.name || name === entity.variable)
  const own = patterns.flatMap(({ property, chain }) => {
    const link = chain?.links[0]
    if (stringOf(source, link?.args[0]) === entity.name) return removeProperty(source, property.node)
    const steps = link?.name === 'transact' ? asObject(link.args[0]) : undefined
    const written = steps === undefined ? [] : propertiesOf(source, steps)
    const mine = written.filter(({ name }) => name.startsWith(`${entity.name}.`))
    if (mine.length === 0) return []
    if (mine.length === written.length) return removeProperty(source, property.node)
    return mine.flatMap(({ node }) => removeProperty(source, node))
  })
  return edited(source.text, [
    ...(entity.variable === undefined ? [] : [removedStatement(source, statementOf(entity.chain.node))]),
    ...(entry === undefined ? [] : removeProperty(source, entry.node)),
    ...own,
  ])
}

/** Gives an entity another name, wherever the file has it: as the constant, in the model and in its patterns. */
export function renameEntity({ source, entities, patternList }: ModelOutline, old: string, name: string): string {
  const entity = entities.find((each) => each.name === old)
  if (entity === undefined) return source.text
  const inPatterns = patternList === undefined ? [] : nodesIn(patternList, 'String')
  const texts = inPatterns.flatMap((node) => {
    const text = stringOf(source, node)
    if (text === old) return [{ from: node.from, to: node.to, insert: quoted(source, name) }]
    if (text?.startsWith(`${old}.`) !== true) return []
    return [{ from: node.from, to: node.to, insert: quoted(source, name + text.slice(old.length)) }]
  })
  const variables =
    entity.variable === old
      ? ['VariableName', 'VariableDefinition', 'PropertyDefinition'].flatMap((kind) =>
          nodesIn(source.top, kind).filter((node) => textOf(source, node) === old && !isForeignName(node)),
        )
      : []
  return edited(source.text, [
    { from: entity.nameNode.from, to: entity.nameNode.to, insert: quoted(source, name) },
    ...variables.map(({ from, to }) => ({ from, to, insert: name })),
    ...texts,
  ])
}

/** The name of a property that has a value of its own is not the constant; except in the list of entities, where they agree. */
function isForeignName(node: SyntaxNode): boolean {
  return (
    node.name === 'PropertyDefinition' &&
    node.parent?.getChild(':') !== null &&
    node.parent?.parent?.parent?.name !== 'Property'
  )
}

export function addAttribute({ source, types }: ModelOutline, { attributes }: EntityPlace, name: string): string {
  return edited(source.text, addProperty(source, attributes, name, `${types}.string()`))
}

export function removeAttribute({ source }: ModelOutline, { attributes }: EntityPlace, name: string): string {
  const property = propertyOf(source, attributes, name)
  return property === undefined ? source.text : edited(source.text, removeProperty(source, property.node))
}

/** Gives an attribute another name: in its entity, with its keys, and in the patterns that can mean no other. */
export function renameAttribute(outline: ModelOutline, entity: EntityPlace, old: string, name: string): string {
  const { source, entities, patternList, patterns } = outline
  const isShared = entities.some(
    (each) => each !== entity && propertyOf(source, each.attributes, old) !== undefined,
  )
  const own = nodesIn(entity.chain.node, 'String').filter(
    (node) => node.from !== entity.nameNode.from && !isPropertyName(node) && !isValue(source, node),
  )
  const reading = isShared
    ? patterns
        .filter(({ chain }) => stringOf(source, chain?.links[0]?.args[0]) === entity.name)
        .flatMap(({ property }) => nodesIn(property.value, 'String'))
    : patternList === undefined
      ? []
      : nodesIn(patternList, 'String').filter((node) => !isPropertyName(node) && !isProse(source, node))
  return edited(source.text, [
    ...renameProperty(source, entity.attributes, old, name),
    ...[...own, ...reading].flatMap((node) => renamedHoles(source, node, old, name)),
  ])
}

function isPropertyName(node: SyntaxNode): boolean {
  return node.parent?.name === 'Property' && node.parent.firstChild?.from === node.from
}

/** The text of an enum, a default or a description is not the name of an attribute. */
function isValue(source: Source, node: SyntaxNode): boolean {
  const call = node.parent?.name === 'ArgList' ? node.parent.parent : undefined
  const word = call?.firstChild?.getChild('PropertyName')
  return word
    ? ['enum', 'default', 'describe', 'as', 'index', 'in', 'owner', 'description'].includes(textOf(source, word))
    : false
}

function isProse(source: Source, node: SyntaxNode): boolean {
  const word = node.parent?.name === 'Property' ? node.parent.firstChild : null
  return word !== null && ['description', 'owner', 'on', 'order'].includes(textOf(source, word))
}

function renamedHoles(source: Source, node: SyntaxNode, old: string, name: string): readonly TextEdit[] {
  const text = stringOf(source, node) ?? ''
  const next =
    text === old
      ? name
      : text.replaceAll(/\{([^{}:]+)(?=[:}])/g, (hole, word: string) => (word === old ? `{${name}` : hole))
  return next === text ? [] : [{ from: node.from, to: node.to, insert: quoted(source, next) }]
}

/** Replaces the whole definition of an attribute by code. */
export function setAttributeCode(
  { source }: ModelOutline,
  { attributes }: EntityPlace,
  name: string,
  code: string,
): string {
  return edited(source.text, setProperty(source, attributes, name, code))
}

/** Sets one part of the key of an entity, in the table or in an index. An empty text takes it away. */
export function setKey(
  { source }: ModelOutline,
  { chain }: EntityPlace,
  index: string | undefined,
  part: 'pk' | 'sk',
  { kind, text }: KeyText,
): string {
  const link =
    index === undefined ? chain.links.find(({ name }) => name === 'key') : indexLink(source, chain.links, index)
  const value = keyCode(source, kind, text)
  const object = asObject(link?.args[index === undefined ? 0 : 1])
  if (object !== undefined) return edited(source.text, setProperty(source, object, part, value))
  if (value === undefined || link !== undefined) return source.text
  const call =
    index === undefined ? `key({ ${part}: ${value} })` : `index(${quoted(source, index)}, { ${part}: ${value} })`
  return edited(source.text, [addLink(source, chain, call, index === undefined ? ['in', 'computed'] : afterKeys)])
}

const afterKeys = ['in', 'computed', 'key', 'index']

function keyCode(source: Source, kind: KeyText['kind'], text: string): string | undefined {
  if (text.trim() === '') return undefined
  if (kind === 'code') return text
  return kind === 'template'
    ? quoted(source, text)
    : listText(
        source,
        text
          .split(',')
          .map((each) => each.trim())
          .filter((each) => each !== ''),
      )
}

export function indexLink(source: Source, links: readonly Link[], index: string): Link | undefined {
  return links.filter(isIndex).find(({ args }) => stringOf(source, args[0]) === index)
}

/** Which items of an entity are in an index, as code; all of them if it is empty. */
export function setIndexWhen(
  { source }: ModelOutline,
  { chain }: EntityPlace,
  index: string,
  code: string,
): string {
  const object = asObject(indexLink(source, chain.links, index)?.args[1])
  if (object === undefined) return source.text
  return edited(source.text, setProperty(source, object, 'when', code.trim() === '' ? undefined : code))
}

/** The table that an entity is in, where a model has several. */
export function setTable({ source }: ModelOutline, { chain }: EntityPlace, table: string): string {
  const link = chain.links.find(({ name }) => name === 'in')
  const [word] = link?.args ?? []
  if (word !== undefined)
    return edited(source.text, [{ from: word.from, to: word.to, insert: quoted(source, table) }])
  return edited(source.text, [addLink(source, chain, `in(${quoted(source, table)})`, [])])
}

/** Puts an entity into an index. */
export function addIndexKey(
  { source }: ModelOutline,
  { chain }: EntityPlace,
  index: string,
  pk: string,
  sk: string,
): string {
  const parts = [`pk: ${quoted(source, pk)}`, ...(sk === '' ? [] : [`sk: ${quoted(source, sk)}`])]
  const call = `index(${quoted(source, index)}, { ${parts.join(', ')} })`
  return edited(source.text, [addLink(source, chain, call, afterKeys)])
}

export function removeIndexKey({ source }: ModelOutline, { chain }: EntityPlace, index: string): string {
  const link = indexLink(source, chain.links, index)
  return link === undefined ? source.text : edited(source.text, [removeLink(link)])
}

/** How many items there are; undefined takes the figure away. */
export function setVolume(
  { source }: ModelOutline,
  { chain }: EntityPlace,
  name: string,
  value: number | undefined,
): string {
  const link = chain.links.find((each) => each.name === 'volume')
  const object = asObject(link?.args[0])
  const text = value === undefined ? undefined : numberText(source, value)
  if (object !== undefined) return edited(source.text, setProperty(source, object, name, text))
  if (text === undefined) return source.text
  return edited(source.text, [
    addLink(source, chain, `volume({ ${name}: ${text} })`, [...afterKeys, 'unique', 'indexItem']),
  ])
}

/** The statement in which something stands, `export` included. */
function statementOf(node: SyntaxNode): SyntaxNode {
  let at = node
  while (at.parent !== null && at.parent.name !== 'Script') at = at.parent
  return at
}

function removedStatement(source: Source, statement: SyntaxNode): TextEdit {
  const from = lineStart(source.text, firstComment(source, statement).from)
  const rest = /^;?[ \t]*(?:\r?\n){0,2}/.exec(source.text.slice(statement.to))?.[0].length ?? 0
  return { from, to: statement.to + rest, insert: '' }
}

/** Names of the library that the file needs, and does not import yet. */
function withImports(source: Source, needed: readonly string[]): readonly TextEdit[] {
  const [group] = nodesIn(source.top, 'ImportGroup').filter((each) =>
    importsIn(source, each).some(({ imported }) => imported === 'entity' || imported === 'model'),
  )
  if (group === undefined) return []
  const known = new Set(importsIn(source, group).map(({ local }) => local))
  const missing = needed.filter((name) => !known.has(name))
  if (missing.length === 0) return []
  const last = group.lastChild?.prevSibling
  const at = last?.name === ',' ? last.from : (last?.to ?? group.to - 1)
  return [{ from: at, to: at, insert: `, ${missing.join(', ')}` }]
}

/** Where the index is described, or would be: the table that says something of it, or that of an entity in it. */
export function tableOfIndex(outline: ModelOutline, index: string): SyntaxNode | undefined {
  const { source, table, tables, entities } = outline
  if (tables.length === 0) return table
  const describing = tables.find(({ config }) => {
    const list = objectOf(source, config, 'indexes')
    return propertyOf(source, list, index) !== undefined
  })
  const inside = entities.find(({ chain }) => indexLink(source, chain.links, index) !== undefined)
  const named = stringOf(source, inside?.chain.links.find(({ name }) => name === 'in')?.args[0])
  return (describing ?? tables.find(({ name }) => name === named) ?? tables[0])?.config
}
