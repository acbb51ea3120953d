import type { SyntaxNode } from '@lezer/common'
import { parser } from '@lezer/javascript'

const typescript = parser.configure({ dialect: 'ts' })

/** A text, and its tree. A tree names places in a text only, so the two stay together. */
export interface Source {
  readonly text: string
  readonly top: SyntaxNode
}

/** The grammar is that of the editor: it reads whatever is typed, and says where everything stands. */
export function parseSource(text: string): Source {
  return { text, top: typescript.parse(text).topNode }
}

export function textOf({ text }: Source, { from, to }: { readonly from: number; readonly to: number }): string {
  return text.slice(from, to)
}

/** One `name: value` of an object. */
export interface Property {
  readonly name: string
  readonly node: SyntaxNode
  readonly nameNode: SyntaxNode
  /** The name itself, if it is a shorthand. */
  readonly value: SyntaxNode
  readonly isShorthand: boolean
}

/** The properties of an object that have a plain name and a value. */
export function propertiesOf(source: Source, object: SyntaxNode): readonly Property[] {
  return object.getChildren('Property').flatMap((node) => {
    const nameNode = node.firstChild
    if (nameNode === null || !(nameNode.name === 'PropertyDefinition' || nameNode.name === 'String')) return []
    const value = valueOf(node)
    if (node.getChild('ParamList') !== null) return []
    const name = nameNode.name === 'String' ? stringOf(source, nameNode) : textOf(source, nameNode)
    if (name === undefined) return []
    return [{ name, node, nameNode, value: value ?? nameNode, isShorthand: value === undefined }]
  })
}

function valueOf(property: SyntaxNode): SyntaxNode | undefined {
  const colon = property.getChild(':')
  let next = colon?.nextSibling ?? null
  while (next !== null && isComment(next)) next = next.nextSibling
  return next ?? undefined
}

export function propertyOf(source: Source, object: SyntaxNode | undefined, name: string): Property | undefined {
  return object === undefined ? undefined : propertiesOf(source, object).find((each) => each.name === name)
}

/** The object of a property, however it is wrapped. */
export function objectOf(source: Source, object: SyntaxNode | undefined, name: string): SyntaxNode | undefined {
  return asObject(propertyOf(source, object, name)?.value)
}

export function asObject(node: SyntaxNode | undefined): SyntaxNode | undefined {
  const bare = node === undefined ? undefined : unwrapped(node)
  return bare?.name === 'ObjectExpression' ? bare : undefined
}

/** Without parentheses, `as const` and `satisfies T`. */
export function unwrapped(node: SyntaxNode): SyntaxNode {
  if (node.name === 'ParenthesizedExpression') {
    const inner = expressionsIn(node)[0]
    return inner === undefined ? node : unwrapped(inner)
  }
  const isTyped = node.getChild('as') !== null || node.getChild('satisfies') !== null
  return isTyped && node.firstChild !== null ? unwrapped(node.firstChild) : node
}

/** One call of a chain: `.key({ … })`. */
export interface Link {
  readonly name: string
  readonly nameNode: SyntaxNode
  readonly argList: SyntaxNode
  readonly args: readonly SyntaxNode[]
  /** Where what stands before it ends: comments and line breaks before the point are part of the link. */
  readonly from: number
  readonly to: number
}

/** `root(args).link(args).link(args)`, or `root.link(args)`. */
export interface Chain {
  readonly root: string
  readonly rootNode: SyntaxNode
  /** Undefined if the root itself is not called. */
  readonly args: readonly SyntaxNode[] | undefined
  readonly links: readonly Link[]
  readonly node: SyntaxNode
}

export function chainOf(source: Source, node: SyntaxNode): Chain | undefined {
  const links: Link[] = []
  let at = unwrapped(node)
  for (;;) {
    if (at.name === 'VariableName') {
      return { root: textOf(source, at), rootNode: at, args: undefined, links: links.toReversed(), node }
    }
    const callee = at.name === 'CallExpression' ? at.firstChild : null
    const argList = at.getChild('ArgList')
    if (callee === null || argList === null) return undefined
    const args = expressionsIn(argList)
    if (callee.name === 'VariableName') {
      return { root: textOf(source, callee), rootNode: callee, args, links: links.toReversed(), node }
    }
    const nameNode = callee.getChild('PropertyName')
    const before = callee.firstChild
    if (nameNode === null || before === null) return undefined
    links.push({ name: textOf(source, nameNode), nameNode, argList, args, from: before.to, to: at.to })
    at = before
  }
}

const marks: ReadonlySet<string> = new Set(['(', ')', '[', ']', '{', '}', ',', ';'])

/** What stands in a list of arguments or an array. */
function expressionsIn(list: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = []
  for (let each = list.firstChild; each !== null; each = each.nextSibling) {
    if (!marks.has(each.name) && !isComment(each)) found.push(each)
  }
  return found
}

export function isComment({ name }: SyntaxNode): boolean {
  return name === 'LineComment' || name === 'BlockComment'
}

/** The text of a string, if it is a constant one. */
export function stringOf(source: Source, node: SyntaxNode | undefined): string | undefined {
  if (node?.name !== 'String' && !(node?.name === 'TemplateString' && node.getChild('Interpolation') === null)) {
    return undefined
  }
  return unquoted(textOf(source, node))
}

function unquoted(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replaceAll(/\\(u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|\r?\n|.)/gis, (_, code: string) => {
      if (/^[ux]/.test(code) && code.length > 1) {
        return String.fromCodePoint(Number.parseInt(code.replaceAll(/[^\da-f]/gi, ''), 16))
      }
      return escapes[code] ?? code
    })
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
  '\n': '',
  '\r\n': '',
}

/** A list of constant strings. */
export function stringsOf(source: Source, node: SyntaxNode | undefined): readonly string[] | undefined {
  if (node?.name !== 'ArrayExpression') return undefined
  const texts = expressionsIn(node).map((each) => stringOf(source, each))
  return texts.every((each) => each !== undefined) ? texts : undefined
}

export function numberOf(source: Source, node: SyntaxNode | undefined): number | undefined {
  if (node?.name !== 'Number') return undefined
  return Number(textOf(source, node).replaceAll('_', ''))
}

/** All nodes of a kind below a node, in their order. */
export function nodesIn(top: SyntaxNode, kind: string): readonly SyntaxNode[] {
  const found: SyntaxNode[] = []
  const cursor = top.cursor()
  do if (cursor.name === kind) found.push(cursor.node)
  while (cursor.next() && cursor.from < top.to)
  return found
}
