import type { MetricFamily } from '@hashrange/server'
import type { Figures, MappingFigures } from './figures.ts'

/** What triggers have done since this process started, for Prometheus. */
export function* triggerFamilies(figures: Figures): Iterable<MetricFamily> {
  const all = [...figures.all()]
  if (all.length === 0) return
  for (const { name, help, type, value, ...unit } of families) {
    yield {
      name: `hashrange_trigger_${name}`,
      help,
      type,
      ...unit,
      samples: all.map(([uuid, one]) => ({ labels: labelsOf(uuid, one), value: value(one) })),
    }
  }
}

interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly unit?: 'seconds'
  readonly value: (figures: MappingFigures) => number
}

const families: readonly Family[] = [
  { name: 'calls', help: 'Calls of functions by triggers.', type: 'counter', value: ({ calls }) => calls },
  { name: 'failures', help: 'Calls that failed.', type: 'counter', value: ({ failures }) => failures },
  {
    name: 'records',
    help: 'Records that functions have processed.',
    type: 'counter',
    value: ({ records }) => records,
  },
  {
    name: 'filtered_records',
    help: 'Records that matched no filter.',
    type: 'counter',
    value: ({ filtered }) => filtered,
  },
  {
    name: 'discarded_records',
    help: 'Records that were discarded after their last retry, or because of their age.',
    type: 'counter',
    value: ({ discarded }) => discarded,
  },
  {
    name: 'iterator_age_seconds',
    help: 'The age of the last record of the last batch when it was passed to the function.',
    type: 'gauge',
    unit: 'seconds',
    value: ({ iteratorAgeMs }) => iteratorAgeMs / 1000,
  },
]

function labelsOf(
  uuid: string,
  { scope, functionName, sourceArn }: MappingFigures,
): Readonly<Record<string, string>> {
  const [, table = ''] = /:table\/([^/]+)/.exec(sourceArn) ?? []
  return { account: scope.accountId, region: scope.region, function: functionName, table, mapping: uuid }
}
