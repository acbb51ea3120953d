import type { SyntaxNode } from '@lezer/common'
import { attributeTypes } from './edit-attribute.ts'
import { outlineOf, type EntityPlace, type ModelOutline } from './model-outline.ts'
import { indexForms } from './read-forms.ts'
import { chainOf, propertiesOf, textOf } from './syntax.ts'

/** Words that fit at a place of a model file. */
export interface Suggestions {
  /** Where the word begins that they replace. */
  readonly from: number
  readonly words: readonly Suggestion[]
}

export interface Suggestion {
  readonly label: string
  readonly kind: 'method' | 'property' | 'text'
  /** What is inserted, where that is more than the label. */
  readonly apply?: string
}

/** What can be written at a place: the library's own words, and the model's names. */
export function suggestionsAt(text: string, at: number, model: string): Suggestions | undefined {
  const outline = outlineOf(text, model)
  if (outline === undefined) return undefined
  const node = outline.source.top.resolveInner(at, -1)
  const string = node.name === 'String' ? node : undefined
  if (string !== undefined) return inString(outline, string, at)
  const word = /[\w$]*$/.exec(text.slice(0, at))?.[0] ?? ''
  const from = at - word.length
  if (text[from - 1] === '.') return { from, words: methodsOf(outline, node, text.slice(0, from - 1)) }
  const object = objectAround(node)
  return object === undefined ? undefined : { from, words: propertiesFor(outline, object) }
}

function inString(outline: ModelOutline, node: SyntaxNode, at: number): Suggestions | undefined {
  const { source } = outline
  const before = source.text.slice(node.from + 1, at)
  const words = (names: readonly string[]): readonly Suggestion[] =>
    [...new Set(names)].map((label) => ({ label, kind: 'text' }))
  const hole = /\{(\w*)$/.exec(before)
  if (hole !== null) {
    return { from: at - (hole[1]?.length ?? 0), words: words(attributesAround(outline, node)) }
  }
  const from = node.from + 1
  const property = propertyAround(node)
  const key = property?.firstChild ? textOf(source, property.firstChild) : ''
  if (key === 'on') return { from, words: words(indexForms(outline).map(({ name }) => name)) }
  if (['changes', 'filter', 'range', 'include', 'projection', 'each'].includes(key)) {
    return { from, words: words(attributesAround(outline, node)) }
  }
  if (key === 'entities') return { from, words: words(outline.entities.map(({ name }) => name)) }
  const call = node.parent?.name === 'ArgList' ? node.parent.parent : undefined
  const chain = call ? chainOf(source, call) : undefined
  const link = chain?.links.at(-1)?.name
  if (chain?.root === outline.maker) return { from, words: words(outline.entities.map(({ name }) => name)) }
  if (link === 'index') return { from, words: words(indexForms(outline).map(({ name }) => name)) }
  if (link === 'unique' || link === 'shard') return { from, words: words(attributesAround(outline, node)) }
  return undefined
}

/** The attributes of the entity in which something stands; of all entities elsewhere. */
function attributesAround({ source, entities }: ModelOutline, { from }: SyntaxNode): readonly string[] {
  const isAround = ({ chain }: EntityPlace): boolean => chain.node.from <= from && from < chain.node.to
  const around = entities.filter(isAround)
  return (around.length === 0 ? entities : around).flatMap(({ attributes }) =>
    propertiesOf(source, attributes).map(({ name }) => name),
  )
}

function propertyAround(node: SyntaxNode): SyntaxNode | undefined {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at.name === 'Property') return at
    if (at.name !== 'ArrayExpression') return undefined
  }
  return undefined
}

function objectAround(node: SyntaxNode): SyntaxNode | undefined {
  for (let at: SyntaxNode | null = node; at !== null; at = at.parent) {
    if (at.name === 'ObjectExpression') return at
    // The value of a property is not the place for another one.
    if (at.name === 'ArgList' || at.name === 'CallExpression') return undefined
  }
  return undefined
}

const calls = (names: readonly string[]): readonly Suggestion[] =>
  names.map((label) => ({ label, kind: 'method', apply: `${label}(` }))

const ofAttributes = calls([
  'optional',
  'default',
  'readOnly',
  'describe',
  'size',
  'range',
  'count',
  'distinct',
  'check',
  'onWrite',
  'as',
])
const ofEntities = calls(['key', 'index', 'unique', 'indexItem', 'volume', 'computed', 'in', 'owner', 'describe'])
const ofPatterns = calls([
  'get',
  'query',
  'lookup',
  'batchGet',
  'transactGet',
  'scan',
  'create',
  'put',
  'update',
  'modify',
  'upsert',
  'delete',
  'transact',
])

/** What follows a point, by what the expression before it begins with. */
function methodsOf(outline: ModelOutline, node: SyntaxNode, before: string): readonly Suggestion[] {
  if (new RegExp(String.raw`(?<![\w$.])${escaped(outline.types)}$`).test(before)) return calls(attributeTypes)
  if (new RegExp(String.raw`(?<![\w$.])${escaped(outline.maker)}$`).test(before)) return ofPatterns
  let at: SyntaxNode | null = node
  while (at !== null && at.name !== 'MemberExpression') at = at.parent
  const chain = at?.firstChild ? chainOf(outline.source, at.firstChild) : undefined
  if (chain === undefined) return []
  return chain.args === undefined || chain.args.length < 2 ? ofAttributes : ofEntities
}

function escaped(word: string): string {
  return word.replaceAll('$', String.raw`\$`)
}

const options: Readonly<Record<string, readonly string[]>> = {
  key: ['pk', 'sk', 'shared', 'was'],
  index: ['pk', 'sk', 'when', 'was'],
  unique: ['pk', 'sk'],
  indexItem: ['pk', 'sk', 'include', 'each'],
  volume: ['items', 'perPartition', 'maxPerPartition', 'itemBytes'],
  query: [
    'pk',
    'sk',
    'on',
    'range',
    'between',
    'order',
    'limit',
    'filter',
    'entities',
    'consistent',
    'traffic',
    'budget',
    'owner',
    'description',
  ],
  scan: ['on', 'limit', 'entities', 'consistent', 'traffic', 'budget', 'owner', 'description'],
  update: ['changes', 'traffic', 'budget', 'owner', 'description'],
  modify: ['changes', 'traffic', 'budget', 'owner', 'description'],
  model: ['name', 'description', 'owner', 'table', 'tables', 'entities', 'patterns', 'roles'],
  traffic: ['rate', 'peakRate', 'hotKeyShare', 'items'],
  budget: ['requests', 'readUnits', 'writeUnits'],
  table: [
    'name',
    'pk',
    'sk',
    'discriminator',
    'indexes',
    'billing',
    'stream',
    'pointInTimeRecovery',
    'deletionProtection',
    'tableClass',
    'global',
    'description',
  ],
}
const ofOthers = ['consistent', 'traffic', 'budget', 'owner', 'description']

/** The properties that an object may have and does not have yet. */
function propertiesFor(outline: ModelOutline, object: SyntaxNode): readonly Suggestion[] {
  const { source } = outline
  const has = new Set(propertiesOf(source, object).map(({ name }) => name))
  const names = namesFor(outline, object).filter((name) => !has.has(name))
  return names.map((label) => ({ label, kind: 'property', apply: `${label}: ` }))
}

function namesFor({ source, maker }: ModelOutline, object: SyntaxNode): readonly string[] {
  const { parent } = object
  if (parent?.name === 'Property') return options[parent.firstChild ? textOf(source, parent.firstChild) : ''] ?? []
  const chain = parent?.name === 'ArgList' && parent.parent ? chainOf(source, parent.parent) : undefined
  const word = chain?.links.at(-1)?.name ?? chain?.root ?? ''
  return options[word] ?? (chain?.root === maker && chain.args === undefined ? ofOthers : [])
}
