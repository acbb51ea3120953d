import type {
  AttributeDescription,
  EntityDescription,
  KeyDescription,
  KeyTemplateDescription,
} from '../description.ts'
import { mirroredDate } from '../keys/key-text.ts'
import { matchKey } from '../keys/match-key.ts'

/** A kind of item, as far as its primary key goes. */
export interface KeyedKind {
  readonly name: string
  readonly table: string
  readonly key: KeyDescription
  readonly attributes: ReadonlyMap<string, AttributeDescription>
  readonly sharesKeys?: boolean | undefined
}

export function keyedKindsOf(entities: readonly EntityDescription[]): readonly KeyedKind[] {
  return entities.flatMap((entity) => {
    const { table } = entity
    const attributes = new Map(entity.attributes.map((attribute) => [attribute.name, attribute]))
    const satellites = entity.satellites.map(({ name, key }) => ({ name, table, key, attributes }))
    return [{ name: entity.name, table, key: entity.key, attributes, sharesKeys: entity.sharesKeys }, ...satellites]
  })
}

/** The kinds for which an item of `kind` could be mistaken if a value looks like their literals: `{album}` for
 *  `{album}#{song}`. Writers of `kind` check against these. */
export function confusableWith(kind: KeyedKind, kinds: readonly KeyedKind[]): readonly KeyedKind[] {
  return kinds.filter(
    (other) =>
      other !== kind &&
      other.table === kind.table &&
      !(kind.sharesKeys === true && other.sharesKeys === true) &&
      generalises(kind, other),
  )
}

/** Whether a typical key of `special` could have been made by the templates of `general`. */
function generalises(general: KeyedKind, special: KeyedKind): boolean {
  const pairs = templatesOf(general.key).map((template, i) => [template, templatesOf(special.key)[i]] as const)
  return pairs.every(([template, other]) => {
    if (other === undefined || template.isNative !== other.isNative) return false
    if (template.isNative) return true
    const example = exampleOf(other, special.attributes)
    return matchKey(template, { S: example }, (name) => general.attributes.get(name)) !== undefined
  })
}

function exampleOf(
  { parts }: KeyTemplateDescription,
  attributes: ReadonlyMap<string, AttributeDescription>,
): string {
  return parts
    .map((part) => {
      if (part.kind === 'literal') return part.text
      const attribute = attributes.get(part.attribute)
      if (part.format.kind === 'padded') {
        const { width, decimals } = part.format
        return decimals === 0 ? '0'.repeat(width) : `${'0'.repeat(width - 1 - decimals)}.${'0'.repeat(decimals)}`
      }
      if (part.format.kind === 'date') {
        const { precision, isDescending } = part.format
        const width = Math.min(dateWidth[precision], dateWidth[attribute?.precision ?? 'millisecond'])
        const text = '2026-01-01T00:00:00.000'.slice(0, width)
        return isDescending === true ? mirroredDate(text) : text
      }
      if (part.format.kind === 'hash') return '0'.repeat(16)
      if (part.format.kind === 'bucket') return '0'
      if (part.format.kind === 'case' && part.format.to === 'upper') return exampleValue(attribute).toUpperCase()
      return exampleValue(attribute)
    })
    .join('')
}

const dateWidth = { year: 4, month: 7, day: 10, hour: 13, minute: 16, second: 19, millisecond: 23 }

function exampleValue(attribute: AttributeDescription | undefined): string {
  if (attribute?.type === 'ulid') return '0'.repeat(26)
  if (attribute?.type === 'uuid') return '00000000-0000-4000-8000-000000000000'
  if (attribute?.type === 'enum') return attribute.values?.[0] ?? 'x'
  if (attribute?.type === 'boolean') return 'true'
  if (attribute?.storedAs === 'N') return '0'
  if (attribute?.type === 'iso') {
    const text = '2026-01-01T00:00:00.000'.slice(0, dateWidth[attribute.precision ?? 'millisecond'])
    return text.length > 10 ? `${text}Z` : text
  }
  return 'x'
}

export function templatesOf({ partition, sort }: KeyDescription): readonly KeyTemplateDescription[] {
  return sort === undefined ? [partition] : [partition, sort]
}
