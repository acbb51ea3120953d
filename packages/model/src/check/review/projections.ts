import type { Finding } from '../finding.ts'
import { holesOf, type Place } from '../model-index.ts'
import { storedNameOf } from '../../model/parameters.ts'
import { formatBytes, listOf } from './format-figures.ts'
import { typicalValueBytes } from './item-growth.ts'
import type { ReviewContext } from './review-context.ts'

/** What indexes copy: too much costs on each write, too little on each read. */
export function reviewProjections(context: ReviewContext): Finding[] {
  return [...tooWide(context), ...tooNarrow(context)]
}

function tooWide(context: ReviewContext): Finding[] {
  return context.model.places().flatMap((place): Finding[] => {
    const { index } = place
    if (index === undefined || index.projection.type === 'KEYS_ONLY') return []
    const lists = context.model.model.patterns.filter(
      (pattern) => pattern.index === index.name && pattern.sort?.kind !== 'equals' && pattern.limit !== 1,
    )
    for (const { entity, indexKey } of context.model.kindsIn(place)) {
      const entryBytes = context.entryBytesOf(entity, index.name)
      const keys = new Set(
        holesOf([...(indexKey?.partition ?? []), ...(indexKey?.sort ?? []), entity.key.partition]),
      )
      const isCopied = (name: string): boolean =>
        index.projection.type !== 'INCLUDE' || index.projection.attributes.includes(name)
      const heavy = entity.attributes.filter(
        (attribute) =>
          attribute.isStored &&
          !keys.has(attribute.name) &&
          isCopied(attribute.storedName ?? attribute.name) &&
          typicalValueBytes(attribute) > 512,
      )
      const heavyBytes = heavy.reduce((total, attribute) => total + typicalValueBytes(attribute), 0)
      if (entryBytes <= 1024 || heavyBytes < entryBytes / 2 || lists.length === 0) continue
      const before = Math.ceil(entryBytes / 1024)
      const after = Math.ceil((entryBytes - heavyBytes) / 1024)
      if (after >= before) continue
      return [
        {
          code: 'projection-too-wide',
          severity: 'warning',
          where: context.at(place),
          reason: `In an index entry of ${formatBytes(entryBytes)}, ${listOf(heavy.map(({ name }) => name))} of ${entity.name} take up ${formatBytes(heavyBytes)}. Each write costs ${before} write units in the index instead of ${after}, and ${listOf(lists.map(({ name }) => name))} read them with every item.`,
          remedy: `Project only what lists show, with projection: [${suggestion(place, entity.name, context)}], and get the whole item when someone opens it.`,
        },
      ]
    }
    return []
  })
}

function suggestion(place: Place, entity: string, context: ReviewContext): string {
  const attributes = context.model.entity(entity)?.attributes ?? []
  const light = attributes.filter(
    (attribute) => attribute.isStored && typicalValueBytes(attribute) <= 512 && attribute.type !== 'version',
  )
  const keys = new Set(context.model.kindsIn(place).flatMap((kind) => holesOf([...kind.partition, ...kind.sort])))
  return light
    .filter(({ name }) => !keys.has(name))
    .map(({ name }) => `'${name}'`)
    .join(', ')
}

function tooNarrow(context: ReviewContext): Finding[] {
  return context.model.model.patterns.flatMap((pattern): Finding[] => {
    const place = context.model.placeOf(pattern)
    const { index } = place
    if (index === undefined || index.projection.type === 'ALL') return []
    const measured = context.measured(pattern)
    const where = context.atPattern(pattern)
    const copied = new Set([
      ...(index.projection.type === 'INCLUDE' ? index.projection.attributes : []),
      ...[
        ...index.partitionKeys,
        ...index.sortKeys,
        place.table.partitionKey,
        ...(place.table.sortKey === undefined ? [] : [place.table.sortKey]),
      ].map(({ name }) => name),
    ])
    const owners = context.model.kindsIn(place).map(({ entity }) => entity)
    const missing = (pattern.filter ?? []).filter(
      (name) => !owners.some((owner) => copied.has(storedNameOf(owner, name))),
    )
    if (missing.length > 0) {
      return [
        {
          code: 'projection-too-narrow',
          severity: 'error',
          where,
          reason: `It filters on ${listOf(missing)}, which the index ${index.name} does not project, so the filter never matches.`,
          remedy: `Add ${listOf(missing)} to the projection of ${index.name}, or to its key.`,
        },
      ]
    }
    const fetched = measured?.places.find((each) => each.place === place.table.name)?.readUnits ?? 0
    const read = measured === undefined || measured.itemsRead === 0 ? 0 : measured.bytesRead / measured.itemsRead
    const wanted = pattern.traffic.itemBytes ?? 0
    if (fetched === 0 && (read === 0 || wanted <= read * 1.5)) return []
    return [
      {
        code: 'projection-too-narrow',
        severity: 'warning',
        where,
        reason:
          fetched > 0
            ? `Each item that it finds in ${index.name} is also fetched from the table, because the index does not project all its attributes.`
            : `It should return ${formatBytes(wanted)} per item, but an entry of ${index.name} has ${formatBytes(read)}. The rest has to be fetched item by item.`,
        remedy: `Add the attributes that its readers need to the projection of ${index.name}.`,
      },
    ]
  })
}
