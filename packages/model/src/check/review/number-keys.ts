import type { AttributeDescription, EntityDescription, KeyPartDescription } from '../../description.ts'
import type { Finding } from '../finding.ts'
import { paddedDigits } from '../../keys/key-text.ts'
import { attributeOf, type KindKey, type Place } from '../model-index.ts'
import { formatCount } from './format-figures.ts'
import type { ReviewContext } from './review-context.ts'

/** Numbers within textual keys sort as text: they need as many digits as their largest value. */
export function reviewNumberKeys(context: ReviewContext): Finding[] {
  const findings = new Map<string, Finding>()
  for (const place of context.model.places()) {
    for (const kind of context.model.kindsIn(place)) {
      for (const { attribute, part, text, isSort } of numberHoles(kind)) {
        const found = findingFor(
          context,
          kind.entity,
          attribute,
          part,
          text,
          isSort && orderOf(context, place, attribute),
        )
        if (found !== undefined) findings.set(`${kind.entity.name} ${text} ${attribute.name}`, found)
      }
    }
  }
  return [...findings.values()]
}

/** A range of it, or a page of the first few, is wrong in that order; a list of all is only in another order than one expects. */
function orderOf({ model }: ReviewContext, place: Place, { name }: AttributeDescription): 'relied on' | 'seen' {
  const isReliedOn = model.model.patterns.some(
    (pattern) =>
      pattern.action === 'query' &&
      model.placeOf(pattern).name === place.name &&
      (pattern.limit !== undefined || (pattern.sort?.kind === 'range' && pattern.sort.attribute === name)),
  )
  return isReliedOn ? 'relied on' : 'seen'
}

type Hole = Extract<KeyPartDescription, { kind: 'hole' }>

interface NumberHole {
  readonly attribute: AttributeDescription
  readonly part: Hole
  readonly text: string
  readonly isSort: boolean
}

function numberHoles({ entity, partition, sort }: KindKey): readonly NumberHole[] {
  return [
    ...partition.map((template) => ({ template, isSort: false })),
    ...sort.map((template) => ({ template, isSort: true })),
  ].flatMap(({ template, isSort }) =>
    template.isNative
      ? []
      : template.parts.flatMap((part) => {
          const attribute = part.kind === 'hole' ? attributeOf(entity, part.attribute) : undefined
          const isNumber = attribute?.storedAs === 'N' && attribute.type !== 'shard'
          return isNumber && part.kind === 'hole' ? [{ attribute, part, text: template.text, isSort }] : []
        }),
  )
}

function findingFor(
  context: ReviewContext,
  entity: EntityDescription,
  { name, range, type }: AttributeDescription,
  { format }: Hole,
  text: string,
  order: 'relied on' | 'seen' | false,
): Finding | undefined {
  const where = context.atEntity(entity)
  if (format.kind === 'plain') {
    // Seconds since 1970 have ten digits until the year 2286.
    if (order === false || type === 'ttl' || hasFixedDigits(range)) return undefined
    const width = Math.max(4, digitsOf(range?.max ?? 99_999_999))
    return {
      code: 'unpadded-number',
      severity: order === 'relied on' ? 'error' : 'warning',
      where,
      reason: `In '${text}', ${name} is a number written as text, and as text, 10 sorts before 9.`,
      remedy: `Pad it to the number of digits of its largest value: {${name}:${String(width).padStart(2, '0')}}.`,
    }
  }
  if (format.kind !== 'padded') return undefined
  const { decimals } = format
  const isSigned = format.isSigned === true
  const digits = paddedDigits(format) - decimals
  const largest = (10 ** (digits + decimals) - 1) / 10 ** decimals
  const shown = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 15 })
  if (range?.min !== undefined && range.min < 0 && !isSigned) {
    return {
      code: 'padding-too-narrow',
      severity: 'error',
      where,
      reason: `${name} can be as low as ${formatCount(range.min)}, but '${text}' cannot hold a negative number: the write fails.`,
      remedy: `Give the padding a sign: {${name}:+${String(format.width).padStart(2, '0')}${decimals === 0 ? '' : `.${decimals}`}}.`,
    }
  }
  // Decimals beyond those of the key are rejected whatever the padding, so the digits before the point decide.
  if (range?.max !== undefined && digitsOf(range.max) > digits) {
    const given = format.width - (isSigned ? 1 : 0)
    const width = `${isSigned ? '+' : ''}${String(given + digitsOf(range.max) - digits).padStart(2, '0')}`
    const rest = `${decimals === 0 ? '' : `.${decimals}`}${format.isDescending ? ':desc' : ''}`
    return {
      code: 'padding-too-narrow',
      severity: 'error',
      where,
      reason: `${name} can be as high as ${shown(range.max)}, but its ${digits} digits in '${text}' only reach ${shown(largest)}: writing a larger number fails.`,
      remedy: `Widen the padding to {${name}:${width}${rest}} now: once there are items, you will have to migrate them.`,
    }
  }
  const { maxPerPartition } = entity.volume
  if (range?.max !== undefined || digits >= 9 || (maxPerPartition !== undefined && maxPerPartition <= largest))
    return undefined
  return {
    code: 'padding-too-narrow',
    severity: 'note',
    where,
    reason: `The model does not say how high ${name} can be, and its ${digits} digits in '${text}' only reach ${shown(largest)}.`,
    remedy: `Declare the range with .range(0, …), so that the padding can be checked and larger values are rejected early.`,
  }
}

function hasFixedDigits(range: AttributeDescription['range']): boolean {
  return (
    range?.min !== undefined &&
    range.max !== undefined &&
    range.min >= 0 &&
    digitsOf(range.min) === digitsOf(range.max)
  )
}

function digitsOf(value: number): number {
  return String(Math.floor(Math.abs(value))).length
}
