import type { SyntaxNode } from '@lezer/common'
import { removeLink } from './edit-chain.ts'
import { indexLink, tableOfIndex } from './edit-entities.ts'
import { addProperty, isOnly, removeProperty, renameProperty, setProperty } from './edit-object.ts'
import type { ModelOutline } from './model-outline.ts'
import { optionsOf } from './read-forms.ts'
import { objectOf, propertyOf, stringOf } from './syntax.ts'
import { edited, listText, quoted, type TextEdit } from './text-edit.ts'

/** Takes an index away: from the entities, from the table, and with the patterns that read it. */
export function removeIndex(outline: ModelOutline, index: string): string {
  const { source, entities } = outline
  const links = entities.flatMap(({ chain }) => {
    const link = indexLink(source, chain.links, index)
    return link === undefined ? [] : [removeLink(link)]
  })
  const config = propertyOf(source, configsOf(outline, index), index)
  return edited(source.text, [
    ...links,
    ...(config === undefined ? [] : removeProperty(source, config.node)),
    ...readers(outline, index).flatMap(({ pattern }) => removeProperty(source, pattern)),
  ])
}

function configsOf(outline: ModelOutline, index: string): SyntaxNode | undefined {
  return objectOf(outline.source, tableOfIndex(outline, index), 'indexes')
}

export function renameIndex(outline: ModelOutline, old: string, name: string): string {
  const { source, entities } = outline
  const replaced = ({ from, to }: SyntaxNode): TextEdit => ({ from, to, insert: quoted(source, name) })
  const links = entities.flatMap(({ chain }) => {
    const word = indexLink(source, chain.links, old)?.args[0]
    return word === undefined ? [] : [replaced(word)]
  })
  const configs = configsOf(outline, old)
  return edited(source.text, [
    ...links,
    ...(configs === undefined ? [] : renameProperty(source, configs, old, name)),
    ...readers(outline, old).map(({ on }) => replaced(on)),
  ])
}

/** The patterns that read an index. */
function readers(
  { source, patterns }: ModelOutline,
  index: string,
): readonly { readonly pattern: SyntaxNode; readonly on: SyntaxNode }[] {
  return patterns.flatMap(({ property, chain }) => {
    const on = propertyOf(source, optionsOf(chain?.links[0]), 'on')?.value
    return on !== undefined && stringOf(source, on) === index ? [{ pattern: property.node, on }] : []
  })
}

/** Says what an index is like: the names of its key attributes, or what it copies. An empty text is the default. */
export function setIndexConfig(
  outline: ModelOutline,
  index: string,
  part: 'pk' | 'sk' | 'projection',
  text: string,
): string {
  const { source, model } = outline
  const table = tableOfIndex(outline, index)
  const value = configCode(outline, part, text)
  const configs = configsOf(outline, index)
  const config = objectOf(source, configs, index)
  if (config !== undefined && configs !== undefined) {
    const entry = propertyOf(source, configs, index)
    if (value === undefined && isOnly(source, config, part) && entry !== undefined) {
      return edited(source.text, removeProperty(source, entry.node))
    }
    return edited(source.text, setProperty(source, config, part, value))
  }
  if (value === undefined) return source.text
  const added = `{ ${part}: ${value} }`
  if (configs !== undefined) return edited(source.text, addProperty(source, configs, index, added))
  const all = `{ ${index}: ${added} }`
  if (table !== undefined) return edited(source.text, addProperty(source, table, 'indexes', all))
  return edited(source.text, addProperty(source, model, 'table', `{ indexes: ${all} }`))
}

function configCode({ source }: ModelOutline, part: string, text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '' || (part === 'projection' && trimmed === 'ALL')) return undefined
  if (part !== 'projection' || trimmed === 'KEYS_ONLY') return quoted(source, trimmed)
  return listText(
    source,
    trimmed
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  )
}
