import type { SyntaxNode } from '@lezer/common'
import {
  asObject,
  chainOf,
  nodesIn,
  objectOf,
  parseSource,
  propertiesOf,
  propertyOf,
  stringOf,
  textOf,
  unwrapped,
  type Chain,
  type Property,
  type Source,
} from './syntax.ts'

/** Where the parts of a model stand in its file. */
export interface ModelOutline {
  readonly source: Source
  readonly model: SyntaxNode
  readonly table: SyntaxNode | undefined
  /** The tables by name, where there are several: `tables: { orders: { … } }`. */
  readonly tables: readonly TablePlace[]
  readonly entities: readonly EntityPlace[]
  /** The list of them in the model. */
  readonly entityList: SyntaxNode | undefined
  readonly patterns: readonly PatternPlace[]
  readonly patternList: SyntaxNode | undefined
  /** What the file calls `p`. */
  readonly maker: string
  /** What it calls `s`. */
  readonly types: string
  /** Entities that the model names and another file defines. */
  readonly elsewhere: readonly string[]
}

export interface TablePlace {
  readonly name: string
  readonly config: SyntaxNode
}

export interface EntityPlace {
  readonly name: string
  readonly nameNode: SyntaxNode
  readonly chain: Chain
  readonly attributes: SyntaxNode
  /** The constant that holds it. */
  readonly variable: string | undefined
}

export interface PatternPlace {
  readonly name: string
  readonly property: Property
  /** Undefined if it is made in another way than by `p.get(…)`. */
  readonly chain: Chain | undefined
}

/** The parts of the model of that name. Undefined if the file is not written as model files usually are: then it is edited as
 *  text. */
export function outlineOf(text: string, name: string): ModelOutline | undefined {
  const source = parseSource(text)
  const names = importedNames(source)
  const calls = nodesIn(source.top, 'CallExpression')
  const models = calls.flatMap((node) => {
    const chain = chainOf(source, node)
    const object = chain?.root === names.model && chain.links.length === 0 ? asObject(chain.args?.[0]) : undefined
    return object === undefined ? [] : [object]
  })
  const model =
    models.find((each) => stringOf(source, propertyOf(source, each, 'name')?.value) === name) ??
    (models.length === 1 ? models[0] : undefined)
  if (model === undefined) return undefined
  const all = entitiesIn(source, calls, names.entity)
  const entityList = objectOf(source, model, 'entities')
  const listed = entityList === undefined ? [] : propertiesOf(source, entityList)
  const entities = listed.flatMap((each) => {
    const found = all.find(({ variable, chain }) =>
      each.value.name === 'CallExpression'
        ? chain.node.from === each.value.from
        : variable === textOf(source, each.value),
    )
    return found === undefined ? [] : [found]
  })
  const known = new Set(entities.map((each) => each.name))
  const { list: patternList, maker } = patternsOf(source, model)
  return {
    source,
    model,
    table: objectOf(source, model, 'table'),
    tables: tablesOf(source, objectOf(source, model, 'tables')),
    entities,
    entityList,
    patterns: (patternList === undefined ? [] : propertiesOf(source, patternList)).map((property) => ({
      name: property.name,
      property,
      chain: patternChain(source, property, maker),
    })),
    patternList,
    maker,
    types: names.s,
    elsewhere: listed.map((each) => each.name).filter((each) => !known.has(each)),
  }
}

function tablesOf(source: Source, object: SyntaxNode | undefined): readonly TablePlace[] {
  if (object === undefined) return []
  return propertiesOf(source, object).flatMap(({ name, value }) => {
    const config = asObject(value)
    return config === undefined ? [] : [{ name, config }]
  })
}

function entitiesIn(source: Source, calls: readonly SyntaxNode[], word: string): readonly EntityPlace[] {
  return calls.flatMap((node) => {
    // Only the whole chain.
    if (node.parent?.name === 'MemberExpression') return []
    const chain = chainOf(source, node)
    const [nameNode, object] = chain?.args ?? []
    const name = stringOf(source, nameNode)
    const attributes = asObject(object)
    if (chain?.root !== word || nameNode === undefined || name === undefined || attributes === undefined) return []
    const declaration = node.parent?.name === 'VariableDeclaration' ? node.parent : undefined
    const definition = declaration?.getChild('VariableDefinition')
    return [{ name, nameNode, chain, attributes, variable: definition ? textOf(source, definition) : undefined }]
  })
}

function patternChain(source: Source, { value }: Property, maker: string): Chain | undefined {
  const chain = chainOf(source, value)
  return chain?.root === maker && chain.args === undefined && chain.links.length === 1 ? chain : undefined
}

/** `(p) => ({ … })`, or a function that returns such an object. */
function patternsOf(
  source: Source,
  model: SyntaxNode,
): { readonly list: SyntaxNode | undefined; readonly maker: string } {
  const property = model.getChildren('Property').find((each) => {
    const nameNode = each.firstChild
    return nameNode !== null && textOf(source, nameNode) === 'patterns'
  })
  const made = property === undefined ? undefined : (propertyOf(source, model, 'patterns')?.value ?? property)
  if (made === undefined) return { list: undefined, maker: 'p' }
  const parameter = made.getChild('ParamList')?.getChild('VariableDefinition')
  const body = made.lastChild
  const returned = body?.name === 'Block' ? body.getChild('ReturnStatement')?.firstChild?.nextSibling : body
  return {
    list: returned ? asObject(unwrapped(returned)) : undefined,
    maker: parameter ? textOf(source, parameter) : 'p',
  }
}

/** What the file calls the functions of the library. */
function importedNames(source: Source): { readonly entity: string; readonly model: string; readonly s: string } {
  const names: Record<'entity' | 'model' | 's', string> = { entity: 'entity', model: 'model', s: 's' }
  for (const group of nodesIn(source.top, 'ImportGroup')) {
    for (const { imported, local } of importsIn(source, group)) {
      if (imported === 'entity' || imported === 'model' || imported === 's') names[imported] = local
    }
  }
  return names
}

export function importsIn(
  source: Source,
  group: SyntaxNode,
): readonly { readonly imported: string; readonly local: string }[] {
  return textOf(source, { from: group.from + 1, to: group.to - 1 })
    .split(',')
    .map((each) => each.trim().split(/\s+as\s+/))
    .flatMap(([imported = '', local = imported]) => (imported === '' ? [] : [{ imported, local }]))
}
