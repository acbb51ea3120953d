import type { ModelDescription } from '../description.ts'
import type { ModelMeasurement } from './measure-model.ts'

/** What a report says nothing about, and why: silence is not approval. */
export interface NotJudged {
  readonly kind: 'no-traffic' | 'no-volume' | 'not-tried'
  /** Patterns or entities. */
  readonly names: readonly string[]
  /** A whole sentence. */
  readonly text: string
}

export function notJudged(model: ModelDescription, measurement: ModelMeasurement): readonly NotJudged[] {
  const measured = new Map(measurement.patterns.map((each) => [each.pattern, each]))
  const quiet = model.patterns.filter(({ traffic }) => traffic.rate === undefined && traffic.peakRate === undefined)
  const unsized = model.entities.filter(({ volume }) => Object.keys(volume).length === 0)
  const untried = model.patterns.flatMap(({ name }): NotJudged[] => {
    const each = measured.get(name)
    const why = each === undefined ? 'the database rejected its table' : each.untried
    return why === undefined
      ? []
      : [
          {
            kind: 'not-tried',
            names: [name],
            text: `The pattern ${name} was not tried, because ${why.replace(/\.$/, '')}.`,
          },
        ]
  })
  return [
    ...untried,
    ...group('no-traffic', 'pattern', quiet, 'traffic', 'whether a partition gets too busy, and the cost'),
    ...group('no-volume', 'entity', unsized, 'volume', 'how large partitions become, and the cost of storage'),
  ]
}

function group(
  kind: NotJudged['kind'],
  noun: 'pattern' | 'entity',
  members: readonly { readonly name: string }[],
  lack: string,
  unknown: string,
): readonly NotJudged[] {
  if (members.length === 0) return []
  const names = members.map(({ name }) => name)
  const plural = noun === 'entity' ? 'entities' : 'patterns'
  const shown = names.length > 8 ? `${names.slice(0, 7).join(', ')} and ${names.length - 7} more` : names.join(', ')
  const count = `${names.length} ${names.length === 1 ? noun : plural} without ${lack}`
  return [{ kind, names, text: `${count} (${shown}): ${unknown}.` }]
}
