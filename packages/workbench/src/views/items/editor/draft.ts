import {
  readAttributeValue,
  ServiceError,
  setAttribute,
  type AttributeType,
  type AttributeValue,
  type Item,
} from '@hashrange/core'

/** A value while it is being edited in a form: it may be anything, also what cannot be stored. */
export interface DraftNode {
  readonly id: number
  /** The attribute's or entry's name; of no meaning in lists and sets. */
  readonly name: string
  readonly type: AttributeType
  /** The content of a string, a number or binary, as it is. */
  readonly text: string
  readonly isTrue: boolean
  /** The entries of a map, the elements of a list, the members of a set. */
  readonly children: readonly DraftNode[]
}

export interface DraftProblem {
  readonly nodeId: number
  readonly message: string
}

let lastId = 0

export function newNode(name = '', type: AttributeType = 'S'): DraftNode {
  return { id: ++lastId, name, type, text: '', isTrue: false, children: [] }
}

/** The attributes named first come first: the key. */
export function draftOf(item: Item, first: readonly string[] = []): readonly DraftNode[] {
  const entries = Object.entries(item)
  const rank = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length)
  const ordered = first.length === 0 ? entries : entries.toSorted(([a], [b]) => rank(a) - rank(b))
  return ordered.map(([name, value]) => nodeOf(name, value))
}

/** The item in the form. Mistakes are reported; the item must not be used then. */
export function itemOfDraft(nodes: readonly DraftNode[]): {
  readonly item: Item
  readonly problems: readonly DraftProblem[]
} {
  const problems: DraftProblem[] = []
  return { item: entriesOf(nodes, problems, 1), problems }
}

/** The same nodes with one changed; those beside it are the same objects. */
export function changeNode(
  nodes: readonly DraftNode[],
  id: number,
  change: (node: DraftNode) => DraftNode | undefined,
): readonly DraftNode[] {
  let next: DraftNode[] | undefined
  for (const [at, node] of nodes.entries()) {
    const replaced = node.id === id ? change(node) : withChildren(node, changeNode(node.children, id, change))
    if (replaced === node) continue
    next = replaced === undefined ? nodes.filter((other) => other !== node) : nodes.with(at, replaced)
    break
  }
  return next ?? nodes
}

/** Another type, with as much of the content as fits. */
export function withType(node: DraftNode, type: AttributeType): DraftNode {
  const memberType = setMembers[type]
  if (memberType !== undefined) {
    const members = node.children.length > 0 ? node.children : [{ ...newNode(), text: node.text }]
    return { ...node, type, children: members.map((member) => ({ ...member, type: memberType })) }
  }
  return { ...node, type, isTrue: node.text === 'true' || node.isTrue }
}

/** The type of a set's members. */
export const setMembers: Partial<Record<AttributeType, AttributeType>> = { SS: 'S', NS: 'N', BS: 'B' }

function withChildren(node: DraftNode, children: readonly DraftNode[]): DraftNode {
  return children === node.children ? node : { ...node, children }
}

function nodeOf(name: string, value: AttributeValue): DraftNode {
  const node = newNode(name)
  if ('S' in value) return { ...node, type: 'S', text: value.S }
  if ('N' in value) return { ...node, type: 'N', text: value.N }
  if ('B' in value) return { ...node, type: 'B', text: value.B }
  if ('BOOL' in value) return { ...node, type: 'BOOL', isTrue: value.BOOL }
  if ('NULL' in value) return { ...node, type: 'NULL' }
  if ('M' in value) return { ...node, type: 'M', children: draftOf(value.M) }
  if ('L' in value) return { ...node, type: 'L', children: value.L.map((element) => nodeOf('', element)) }
  if ('SS' in value) return { ...node, type: 'SS', children: value.SS.map((S) => nodeOf('', { S })) }
  if ('NS' in value) return { ...node, type: 'NS', children: value.NS.map((N) => nodeOf('', { N })) }
  return { ...node, type: 'BS', children: value.BS.map((B) => nodeOf('', { B })) }
}

function entriesOf(nodes: readonly DraftNode[], problems: DraftProblem[], level: number): Item {
  const entries: Record<string, AttributeValue> = {}
  for (const node of nodes) {
    if (level === 1 && node.name === '') problems.push({ nodeId: node.id, message: 'Empty attribute name' })
    if (Object.hasOwn(entries, node.name)) {
      problems.push({ nodeId: node.id, message: `"${node.name.slice(0, 60)}" is here twice.` })
    }
    setAttribute(entries, node.name, valueOf(node, problems, level))
  }
  return entries
}

function valueOf(node: DraftNode, problems: DraftProblem[], level: number): AttributeValue {
  if (node.type === 'M') return { M: entriesOf(node.children, problems, level + 1) }
  if (node.type === 'L') return { L: node.children.map((child) => valueOf(child, problems, level + 1)) }
  const raw = scalarOf(node)
  try {
    return readAttributeValue(raw, level)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    problems.push({ nodeId: node.id, message: error.message })
    return { NULL: true }
  }
}

function scalarOf({ type, text, isTrue, children }: DraftNode): unknown {
  if (type === 'BOOL') return { BOOL: isTrue }
  if (type === 'NULL') return { NULL: true }
  if (type === 'N' || type === 'B') return { [type]: text.trim() }
  if (setMembers[type] === undefined) return { S: text }
  return { [type]: children.map((child) => (type === 'SS' ? child.text : child.text.trim())) }
}
