import { addLink, removeLink } from './edit-chain.ts'
import { setProperty } from './edit-object.ts'
import type { EntityPlace, ModelOutline } from './model-outline.ts'
import { entityForm, isSatellite, type SatelliteForm } from './read-forms.ts'
import { asObject, type Link } from './syntax.ts'
import { edited, listText, quoted } from './text-edit.ts'

const before = ['in', 'computed', 'key', 'index', 'unique', 'indexItem']

/** Adds a constraint that an attribute is unique. */
export function addUnique({ source }: ModelOutline, { chain }: EntityPlace, attribute: string): string {
  return edited(source.text, [addLink(source, chain, `unique(${quoted(source, attribute)})`, before)])
}

/** Adds an item to find an entity by. Its key begins as that of the entity the other way round. */
export function addIndexItem(outline: ModelOutline, entity: EntityPlace, name: string): string {
  const { source } = outline
  const { pk, sk } = entityForm(outline, entity)
  const text = (key: typeof pk, otherwise: string): string => (key?.kind === 'template' ? key.text : otherwise)
  const code = `indexItem(${quoted(source, name)}, { pk: ${quoted(source, `${name.toUpperCase()}#${text(sk, '')}`)}, sk: ${quoted(source, text(pk, name))} })`
  return edited(source.text, [addLink(source, entity.chain, code, before)])
}

export function removeSatellite({ source }: ModelOutline, { chain }: EntityPlace, at: number): string {
  const link = satelliteAt(chain.links, at)
  return link === undefined ? source.text : edited(source.text, [removeLink(link)])
}

/** The attributes of a unique constraint, or the name of an index item. */
export function setSatelliteName(
  { source }: ModelOutline,
  { chain }: EntityPlace,
  at: number,
  text: string,
): string {
  const link = satelliteAt(chain.links, at)
  const first = link?.args[0]
  const words = wordsOf(text)
  if (link === undefined || first === undefined || words.length === 0) return source.text
  const insert =
    link.name === 'unique' && words.length > 1 ? listText(source, words) : quoted(source, words.join(''))
  return edited(source.text, [{ from: first.from, to: first.to, insert }])
}

/** A part of its key, the list that it has an item for each element of, or what it copies. */
export function setSatellitePart(
  { source }: ModelOutline,
  { chain }: EntityPlace,
  at: number,
  part: keyof Omit<SatelliteForm, 'kind' | 'name'>,
  text: string,
): string {
  const link = satelliteAt(chain.links, at)
  const words = wordsOf(text)
  const value =
    words.length === 0 ? undefined : part === 'include' ? listText(source, words) : quoted(source, text.trim())
  const config = asObject(link?.args[1])
  if (config !== undefined) return edited(source.text, setProperty(source, config, part, value))
  const first = link?.args[0]
  if (first === undefined || value === undefined) return source.text
  return edited(source.text, [{ from: first.to, to: first.to, insert: `, { ${part}: ${value} }` }])
}

function satelliteAt(links: readonly Link[], at: number): Link | undefined {
  return links.filter(isSatellite)[at]
}

function wordsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}
