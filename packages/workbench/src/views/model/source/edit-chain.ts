import type { Chain, Link, Source } from './syntax.ts'
import { indentAt, newlineOf, type TextEdit } from './text-edit.ts'

/** Takes a call out of a chain, with the comments above it. */
export function removeLink({ from, to }: Link): TextEdit {
  return { from, to, insert: '' }
}

/** Adds a call to a chain, after the last one that is named in `after`, or else at its beginning. */
export function addLink(source: Source, chain: Chain, call: string, after: readonly string[]): TextEdit {
  const before = chain.links.findLast(({ name }) => after.includes(name))
  const at = before?.to ?? chain.links[0]?.from ?? chain.node.to
  return { from: at, to: at, insert: `${gapOf(source, chain)}.${call}` }
}

/** What stands between the calls of a chain: a line break and its indent, or nothing. */
function gapOf(source: Source, { links, node }: Chain): string {
  const last = links.at(-1)
  if (last === undefined) return `${newlineOf(source)}${indentAt(source, node.from)}  `
  const gap = source.text.slice(last.from, last.nameNode.from - 1)
  const lineBreak = gap.lastIndexOf('\n')
  return lineBreak < 0 ? '' : `${newlineOf(source)}${gap.slice(lineBreak + 1)}`
}
