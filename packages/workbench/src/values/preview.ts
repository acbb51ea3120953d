import { base64ByteLength, type AttributeType, type AttributeValue } from '@hashrange/core'
import { formatBytes } from './format.ts'
import { visibleText } from './visible-text.ts'

/** A value in one line of at most about `longest` characters, whatever its size: 400 KB of it cost no more than a word. */
export function previewOf(value: AttributeValue, longest = 120): string {
  const parts: string[] = []
  let left = longest
  const add = (text: string): boolean => {
    const clipped = clip(text, left)
    parts.push(clipped)
    left -= clipped.length
    return left > 0
  }
  write(value, add, 0)
  const text = parts.join('')
  return left > 0 ? text : `${text}…`
}

/** What a column of values is, as a word. */
export const typeNames: Readonly<Record<AttributeType, string>> = {
  S: 'String',
  N: 'Number',
  B: 'Binary',
  BOOL: 'Boolean',
  NULL: 'Null',
  L: 'List',
  M: 'Map',
  SS: 'String set',
  NS: 'Number set',
  BS: 'Binary set',
}

/** Adds text until `add` says that it is enough. */
function write(value: AttributeValue, add: (text: string) => boolean, depth: number): boolean {
  if ('S' in value) return add(depth === 0 ? visibleText(clip(value.S, 400)) : quoted(value.S))
  if ('N' in value) return add(value.N)
  if ('BOOL' in value) return add(String(value.BOOL))
  if ('NULL' in value) return add('null')
  if ('B' in value) return add(`${clip(value.B, 48)} (${formatBytes(base64ByteLength(value.B))})`)
  if ('SS' in value) return writeAll('{', value.SS, '}', add, (member) => add(quoted(member)))
  if ('NS' in value) return writeAll('{', value.NS, '}', add, add)
  if ('BS' in value) return writeAll('{', value.BS, '}', add, (member) => add(clip(member, 48)))
  if ('L' in value) return writeAll('[', value.L, ']', add, (element) => write(element, add, depth + 1))
  return writeAll('{', entriesOf(value.M), '}', add, ([name, member]) => {
    return add(`${visibleText(clip(name, 60))}: `) && write(member, add, depth + 1)
  })
}

function writeAll<Element>(
  open: string,
  elements: Iterable<Element>,
  close: string,
  add: (text: string) => boolean,
  one: (element: Element) => boolean,
): boolean {
  if (!add(open)) return false
  let isFirst = true
  for (const element of elements) {
    if (!isFirst && !add(', ')) return false
    isFirst = false
    if (!one(element)) return false
  }
  return add(close)
}

function* entriesOf(map: Readonly<Record<string, AttributeValue>>): Iterable<readonly [string, AttributeValue]> {
  for (const name of Object.keys(map)) {
    const value = map[name]
    if (value !== undefined) yield [name, value]
  }
}

function quoted(text: string): string {
  return visibleText(JSON.stringify(clip(text, 200)))
}

/** A cut between the halves of a surrogate pair would show as a broken character. */
function clip(text: string, longest: number): string {
  if (text.length <= longest) return text
  const last = text.charCodeAt(longest - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? longest - 1 : longest)
}
