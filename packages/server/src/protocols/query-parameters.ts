import { ServiceError, unreachable } from '@hashrange/core'
import type { Shape, StructureShape } from '@hashrange/engine'

/** The input in the parameters of AWS's Query protocol (`Dimensions.member.1.Name=TableName`), in the form that JSON
 *  would have: the shape says which text is a number, a time or a boolean. */
export function readQueryParameters(parameters: URLSearchParams, shape: StructureShape): unknown {
  const root: Node = { children: new Map() }
  for (const [name, text] of parameters) insert(root, name, text)
  return valueOf(root, shape, '') ?? {}
}

interface Node {
  text?: string
  readonly children: Map<string, Node>
}

const deepestLevel = 16

function insert(root: Node, name: string, text: string): void {
  const path = name.split('.', deepestLevel + 1)
  if (path.length > deepestLevel) return
  let node = root
  for (const step of path) {
    let child = node.children.get(step)
    if (child === undefined) {
      child = { children: new Map() }
      node.children.set(step, child)
    }
    node = child
  }
  node.text ??= text
}

function valueOf(node: Node, shape: Shape, path: string): unknown {
  switch (shape.kind) {
    case 'structure': {
      const value: Record<string, unknown> = {}
      for (const member of shape.members) {
        const child = node.children.get(member.name)
        if (child !== undefined) value[member.name] = valueOf(child, member.shape, join(path, member.name))
      }
      return value
    }
    case 'list': {
      const numbered = node.children.get('member') ?? node
      return inOrder(numbered).map(([index, child]) => valueOf(child, shape.element, `${path}.member.${index}`))
    }
    case 'map': {
      const numbered = node.children.get('entry') ?? node
      const value = Object.create(null) as Record<string, unknown>
      for (const [index, entry] of inOrder(numbered)) {
        const key = entry.children.get('key')?.text
        const child = entry.children.get('value')
        if (key !== undefined && child !== undefined) {
          value[key] = valueOf(child, shape.value, `${path}.entry.${index}.value`)
        }
      }
      return value
    }
    case 'string':
      return node.text ?? ''
    case 'integer':
    case 'long':
    case 'double':
      return numberOf(node.text, path)
    case 'timestamp':
      return timeOf(node.text, path)
    case 'boolean':
      return node.text === undefined || node.text === '' ? undefined : node.text
    case 'attribute-value':
      return undefined
    default:
      return unreachable(shape)
  }
}

/** Elements are numbered, usually from 1; only their order matters. */
function inOrder(node: Node): (readonly [number, Node])[] {
  return [...node.children]
    .filter(([index]) => /^\d{1,9}$/.test(index))
    .map(([index, child]) => [Number(index), child] as const)
    .toSorted(([one], [other]) => one - other)
}

function numberOf(text: string | undefined, path: string): number | undefined {
  if (text === undefined || text === '') return undefined
  const number = Number(text)
  if (!Number.isFinite(number)) throw invalid(path, text)
  return number
}

/** Seconds since 1970, of a time in ISO 8601 or in such seconds. */
function timeOf(text: string | undefined, path: string): number | undefined {
  if (text === undefined || text === '') return undefined
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  const ms = Date.parse(/[zZ]$|[+-]\d\d:?\d\d$/.test(text) || !text.includes('T') ? text : `${text}Z`)
  if (Number.isNaN(ms)) throw invalid(path, text)
  return ms / 1000
}

function invalid(path: string, text: string): ServiceError {
  return new ServiceError(
    'InvalidParameterValueException',
    `Value ${JSON.stringify(text.slice(0, 256))} for parameter ${path} is invalid.`,
  )
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
