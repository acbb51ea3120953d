import type { CheckReport } from '../check-model.ts'
import type { PatternDescription } from '../../description.ts'
import { wasRun, type PatternMeasurement } from '../run/pattern-measurement.ts'
import { formatBytes, formatCount, formatShare } from '../review/format-figures.ts'

/** The pattern table, the same for people and for pull requests. */
export const patternColumns = [
  'pattern',
  'request',
  'read',
  'returned',
  'wasted',
  'units',
  'budget',
  'order',
  'entities',
] as const

export type PatternRow = Readonly<Record<(typeof patternColumns)[number], string>>

export function patternRows({ model, measurement }: CheckReport): readonly PatternRow[] {
  const byName = new Map(measurement.patterns.map((measured) => [measured.pattern, measured]))
  return model.patterns.map((pattern) => rowFor(pattern, byName.get(pattern.name)))
}

function rowFor(pattern: PatternDescription, measured: PatternMeasurement | undefined): PatternRow {
  const { name } = pattern
  if (!wasRun(measured) || measured.calls === 0) {
    return {
      pattern: name,
      request: measured?.failure === undefined ? 'not tried' : 'rejected',
      read: '',
      returned: '',
      wasted: '',
      units: '',
      budget: '',
      order: '',
      entities: '',
    }
  }
  const { itemsRead, itemsReturned, bytesRead, bytesReturned } = measured
  const isRead = itemsRead > 0 || measured.writeUnits === 0
  return {
    pattern: name,
    request: requestText(measured),
    read: isRead ? `${formatCount(itemsRead)}, ${formatBytes(bytesRead)}` : '',
    returned: isRead ? formatCount(itemsReturned) : '',
    wasted: isRead && bytesRead > 0 ? formatShare(Math.max(0, 1 - bytesReturned / bytesRead)) : '',
    units: unitsText(measured),
    budget: budgetText(pattern, measured),
    order: measured.order === undefined ? '' : `${measured.order.text}${measured.order.isKept ? '' : ' (broken)'}`,
    entities: Object.keys(measured.entities).join(', '),
  }
}

/** `Query`, `4 × Query`, `GetItem + UpdateItem`. */
function requestText({ operations, requests }: PatternMeasurement): string {
  if (operations.length > 1) return operations.join(' + ')
  return requests === 1 ? operations.join() : `${requests} × ${operations.join()}`
}

export function unitsText({ readUnits, writeUnits }: Pick<PatternMeasurement, 'readUnits' | 'writeUnits'>): string {
  return [
    readUnits > 0 ? `${formatCount(readUnits)} RCU` : '',
    writeUnits > 0 ? `${formatCount(writeUnits)} WCU` : '',
  ]
    .filter((text) => text !== '')
    .join(', ')
}

function budgetText({ budget }: PatternDescription, measured: PatternMeasurement): string {
  const limits: [number | undefined, number, string][] = [
    [budget.requests, measured.requests, 'requests'],
    [budget.readUnits, measured.maxReadUnits, 'RCU'],
    [budget.writeUnits, measured.maxWriteUnits, 'WCU'],
    [budget.milliseconds, measured.medianMilliseconds, 'ms'],
  ]
  return limits
    .flatMap(([limit, amount, unit]) =>
      limit === undefined
        ? []
        : [
            `${formatCount(limit)} ${limit === 1 ? unit.replace(/requests/, 'request') : unit} ${amount > limit ? '✗' : '✓'}`,
          ],
    )
    .join(', ')
}
