import { addProperty, isOnly, removeProperty, renameProperty, setProperty } from './edit-object.ts'
import type { ModelOutline, PatternPlace } from './model-outline.ts'
import { entityForm, optionsOf } from './read-forms.ts'
import { asObject, objectOf, propertyOf, stringsOf, type Link } from './syntax.ts'
import { edited, listText, numberText, quoted, type TextEdit } from './text-edit.ts'

/** Adds a pattern about an entity. A query begins with the entity's own partition. */
export function addPattern(outline: ModelOutline, name: string, action: string, entity: string): string {
  const { source, patternList, maker } = outline
  if (patternList === undefined) return source.text
  return edited(
    source.text,
    addProperty(source, patternList, name, `${maker}.${action}(${argumentsOf(outline, action, entity)})`),
  )
}

function argumentsOf(outline: ModelOutline, action: string, name: string): string {
  const { source, entities } = outline
  const word = quoted(source, name)
  switch (action) {
    case 'query': {
      const entity = entities.find((each) => each.name === name)
      const pk = entity === undefined ? undefined : entityForm(outline, entity).pk
      return `{ pk: ${pk?.kind === 'template' ? quoted(source, pk.text) : quoted(source, '')} }`
    }
    case 'scan':
      return `{ entities: [${word}] }`
    case 'transact':
      return `{ ${quoted(source, `${name}.create`)}: 1 }`
    default:
      return word
  }
}

export function removePattern({ source }: ModelOutline, { property }: PatternPlace): string {
  return edited(source.text, removeProperty(source, property.node))
}

export function renamePattern({ source, patternList }: ModelOutline, old: string, name: string): string {
  return patternList === undefined
    ? source.text
    : edited(source.text, renameProperty(source, patternList, old, name))
}

/** Another operation or another entity for a pattern; the rest of it stays. */
export function setPatternTarget(
  { source }: ModelOutline,
  { chain }: PatternPlace,
  { action, entity }: { readonly action?: string; readonly entity?: string },
): string {
  const link = chain?.links[0]
  const first = link?.args[0]
  if (link === undefined) return source.text
  return edited(source.text, [
    ...(action === undefined ? [] : [{ from: link.nameNode.from, to: link.nameNode.to, insert: action }]),
    ...(entity === undefined || first === undefined
      ? []
      : [{ from: first.from, to: first.to, insert: quoted(source, entity) }]),
  ])
}

/** An option that is a text; what was a list of texts stays one. An empty text takes it away. */
export function setPatternText(
  { source }: ModelOutline,
  { chain }: PatternPlace,
  name: string,
  text: string,
): string {
  const link = chain?.links[0]
  const known = propertyOf(source, optionsOf(link), name)?.value
  const isList = known === undefined ? listed.has(name) : stringsOf(source, known) !== undefined
  const words = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  const value = text.trim() === '' ? undefined : isList ? listText(source, words) : quoted(source, text)
  return edited(source.text, withOption(source, link, name, value))
}

const listed: ReadonlySet<string> = new Set(['changes', 'filter', 'entities', 'between'])

export function setPatternCode(
  { source }: ModelOutline,
  { chain }: PatternPlace,
  name: string,
  code: string | undefined,
): string {
  return edited(source.text, withOption(source, chain?.links[0], name, code))
}

/** One figure of how often a pattern is used, or of what it may cost. */
export function setFigure(
  { source }: ModelOutline,
  { chain }: PatternPlace,
  group: 'traffic' | 'budget',
  name: string,
  value: number | undefined,
): string {
  const link = chain?.links[0]
  const options = optionsOf(link)
  const text = value === undefined ? undefined : numberText(source, value)
  const figures = objectOf(source, options, group)
  if (figures === undefined || options === undefined) {
    return edited(
      source.text,
      withOption(source, link, group, text === undefined ? undefined : `{ ${name}: ${text} }`),
    )
  }
  if (text === undefined && isOnly(source, figures, name)) {
    return edited(source.text, withOption(source, link, group, undefined))
  }
  return edited(source.text, setProperty(source, figures, name, text))
}

function withOption(
  source: ModelOutline['source'],
  link: Link | undefined,
  name: string,
  value: string | undefined,
): readonly TextEdit[] {
  if (link === undefined) return []
  const options = optionsOf(link)
  if (options !== undefined) return setProperty(source, options, name, value)
  if (value === undefined) return []
  const last = link.args.at(-1)
  const text = `{ ${name}: ${value} }`
  if (last === undefined) return [{ from: link.argList.from + 1, to: link.argList.to - 1, insert: text }]
  // The entities of a batch may be an array, and the steps of a transaction an object: options come after them.
  return asObject(last) !== undefined && link.name !== 'transact'
    ? []
    : [{ from: last.to, to: last.to, insert: `, ${text}` }]
}
