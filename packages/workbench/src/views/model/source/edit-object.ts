import type { SyntaxNode } from '@lezer/common'
import { isComment, propertiesOf, propertyOf, type Source } from './syntax.ts'
import { indentAt, isBlank, lineEnd, lineStart, nameText, newlineOf, type TextEdit } from './text-edit.ts'

/** Adds a property at the end, in the layout that the object has. */
export function addProperty(source: Source, object: SyntaxNode, name: string, value: string): readonly TextEdit[] {
  const text = value === name ? name : `${nameText(source, name)}: ${value}`
  return addEntry(source, object, object.getChildren('Property'), text)
}

/** Adds to what stands in braces or brackets. */
function addEntry(
  source: Source,
  list: SyntaxNode,
  entries: readonly SyntaxNode[],
  text: string,
): readonly TextEdit[] {
  const last = entries.at(-1)
  const first = entries[0]
  if (last === undefined || first === undefined) {
    return [
      {
        from: list.from + 1,
        to: list.from + 1,
        insert: isBlank(source, list.from + 1, list.to - 1) ? ` ${text} ` : ` ${text},`,
      },
    ]
  }
  const comma = commaAfter(last)
  if (!isOnOwnLine(source, first)) {
    return [{ from: last.to, to: last.to, insert: `, ${text}` }]
  }
  const indent = indentAt(source, last.from)
  // After a comment in the same line, which is about the entry before.
  const end = Math.min(lineEnd(source.text, comma?.to ?? last.to), list.to - 1)
  const at = { from: end, to: end, insert: `${newlineOf(source)}${indent}${text}${comma === undefined ? '' : ','}` }
  return comma === undefined ? [{ from: last.to, to: last.to, insert: ',' }, at] : [at]
}

/** Sets a property, or takes it away where there is no value. */
export function setProperty(
  source: Source,
  object: SyntaxNode,
  name: string,
  value: string | undefined,
): readonly TextEdit[] {
  const property = propertyOf(source, object, name)
  if (property === undefined) return value === undefined ? [] : addProperty(source, object, name, value)
  if (value === undefined) return removeProperty(source, property.node)
  if (property.isShorthand) return [{ from: property.value.to, to: property.value.to, insert: `: ${value}` }]
  return [{ from: property.value.from, to: property.value.to, insert: value }]
}

/** Takes away a property, with the comments that stand right above it or behind it in its line. */
export function removeProperty(source: Source, property: SyntaxNode): readonly TextEdit[] {
  const { text } = source
  const comma = commaAfter(property)
  const end = comma?.to ?? property.to
  if (isOnOwnLine(source, property) && isEndOfLine(source, end, property)) {
    const from = lineStart(text, firstComment(source, property).from)
    const to = lineEnd(text, end)
    const next = text.startsWith('\r\n', to) ? to + 2 : text[to] === '\n' ? to + 1 : to
    return [{ from, to: next, insert: '' }]
  }
  const next = nextEntry(property)
  if (next !== undefined) return [{ from: property.from, to: next.from, insert: '' }]
  const before = property.prevSibling
  const previousComma = before?.name === ',' ? before : undefined
  if (previousComma !== undefined) return [{ from: previousComma.from, to: property.to, insert: '' }]
  const { from, to } = property.parent ?? property
  return [{ from: from + 1, to: to - 1, insert: '' }]
}

export function renameProperty(source: Source, object: SyntaxNode, old: string, name: string): readonly TextEdit[] {
  const property = propertyOf(source, object, old)
  if (property === undefined) return []
  const { nameNode, isShorthand } = property
  const insert = isShorthand ? `${nameText(source, name)}: ${old}` : nameText(source, name)
  return [{ from: nameNode.from, to: nameNode.to, insert }]
}

/** Whether an object has nothing in it but this. */
export function isOnly(source: Source, object: SyntaxNode, name: string): boolean {
  return object.getChildren('Property').length === 1 && propertiesOf(source, object)[0]?.name === name
}

function commaAfter(node: SyntaxNode): SyntaxNode | undefined {
  let next = node.nextSibling
  while (next !== null && isComment(next)) next = next.nextSibling
  return next?.name === ',' ? next : undefined
}

function nextEntry(node: SyntaxNode): SyntaxNode | undefined {
  let next = commaAfter(node)?.nextSibling ?? null
  while (next !== null && isComment(next)) next = next.nextSibling
  return next === null || next.name === '}' ? undefined : next
}

function isOnOwnLine(source: Source, { from }: SyntaxNode): boolean {
  return isBlank(source, lineStart(source.text, from), from)
}

/** Nothing stands behind it in its line but a comment. */
function isEndOfLine(source: Source, end: number, property: SyntaxNode): boolean {
  const rest = source.text.slice(end, lineEnd(source.text, end)).trim()
  if (rest === '') return true
  return rest.startsWith('//') && property.parent !== null
}

/** The first of the comments that stand right above it, each in lines of its own. */
export function firstComment(source: Source, node: SyntaxNode): SyntaxNode {
  let first = node
  for (;;) {
    const before = first.prevSibling
    if (before === null || !isComment(before) || !isOnOwnLine(source, before)) return first
    // A blank line in between: it is about more than this.
    if (/\n[ \t\r]*\n/.test(source.text.slice(before.to, first.from))) return first
    first = before
  }
}
