import type { PatternDescription } from '../../description.ts'
import { itemSizeBytes } from '../item-size.ts'
import { callPattern, type CallKind, type Trial } from './call-pattern.ts'
import { expectedItems } from './expected-items.ts'
import { kindOfItem } from './kind-of-item.ts'
import { NotTried } from './not-tried.ts'
import { measureOrder } from './pattern-order.ts'
import type { PatternMeasurement, PlaceUnits } from './pattern-measurement.ts'
import { isRead, type Sent } from './send.ts'

/** Only some writes go to sparse indexes, so it takes more of them for a fair mean. */
const usualCalls = { read: 8, write: 16 }
const busiestCalls = 2

/** Runs a pattern several times with different parameters, and returns what it did. */
export async function measurePattern(trial: Trial, pattern: PatternDescription): Promise<PatternMeasurement> {
  const calls: MeasuredCall[] = []
  const usual = usualCalls[isRead(pattern.operation) ? 'read' : 'write']
  try {
    for (let n = 0; n < usual + busiestCalls; n++) {
      const kind = n < usual ? 'usual' : 'busiest'
      calls.push({ kind, sent: await callPattern(trial, pattern, { kind, n }) })
    }
  } catch (error) {
    if (error instanceof NotTried) return { ...summary(trial, pattern, calls), untried: error.message }
    return { ...summary(trial, pattern, calls), failure: error instanceof Error ? error.message : String(error) }
  }
  return scaled(trial, pattern, summary(trial, pattern, calls))
}

interface MeasuredCall {
  readonly kind: CallKind
  readonly sent: readonly Sent[]
}

/** Means weigh calls to the busiest key by the share that the model declares for it; maxima count them in full. */
function summary(trial: Trial, pattern: PatternDescription, calls: readonly MeasuredCall[]): PatternMeasurement {
  const all = calls.flatMap(({ sent }) => sent)
  const requests = Math.max(0, ...calls.map(({ sent }) => sent.length))
  const operations = [...new Set(all.map(({ operation }) => operation))]
  const busiestShare = pattern.traffic.hotKeyShare ?? 0
  const weigh = weightsOf(calls, busiestShare)
  const perCall = (measure: (sent: Sent) => number): number[] =>
    calls.map(({ sent }) => sent.reduce((total, each) => total + measure(each), 0))
  const mean = (measure: (sent: Sent) => number): number =>
    perCall(measure).reduce((total, amount, i) => total + amount * (weigh[i] ?? 0), 0)
  const most = (measure: (sent: Sent) => number): number => Math.max(0, ...perCall(measure))
  const returned = calls.map((call) => returnedBy(trial, pattern, call))
  const order = measureOrder(
    trial.model,
    pattern,
    all.map(({ items }) => items),
  )
  return {
    pattern: pattern.name,
    calls: calls.length,
    requests,
    operations,
    isOneKeyedRequest: requests === 1 && !operations.includes('Scan'),
    itemsRead: mean(({ scannedCount }) => scannedCount),
    itemsReturned: sum(returned.map(({ items }, i) => items * (weigh[i] ?? 0))),
    bytesRead: mean(bytesReadBy),
    bytesReturned: sum(returned.map(({ bytes }, i) => bytes * (weigh[i] ?? 0))),
    readUnits: mean(readUnitsOf),
    writeUnits: mean(writeUnitsOf),
    maxReadUnits: most(readUnitsOf),
    maxWriteUnits: most(writeUnitsOf),
    places: placesOf(calls, weigh),
    medianMilliseconds: median(perCall(({ milliseconds }) => milliseconds)),
    entities: entitiesIn(trial, calls),
    ...(order !== undefined && { order }),
    isComplete: all.every(({ hasMore }) => !hasMore),
  }
}

function weightsOf(calls: readonly MeasuredCall[], busiestShare: number): readonly number[] {
  const busiest = calls.filter(({ kind }) => kind === 'busiest').length
  const usual = calls.length - busiest
  const share = busiest === 0 ? 0 : usual === 0 ? 1 : busiestShare
  return calls.map(({ kind }) => (kind === 'busiest' ? share / busiest : (1 - share) / usual))
}

/** Items that a filter dropped are not in the result; they are assumed to be as large as those that are, or, if there
 *  are none, as large as the units allow. */
function bytesReadBy({ items, scannedCount, units }: Sent): number {
  const returned = items.reduce((total, item) => total + itemSizeBytes(item), 0)
  if (scannedCount <= items.length) return returned
  if (items.length > 0) return (returned / items.length) * scannedCount
  return [...units.values()].reduce((total, amount) => total + amount, 0) * 8192
}

function readUnitsOf({ operation, units }: Sent): number {
  return isRead(operation) ? sum(units.values()) : 0
}

function writeUnitsOf({ operation, units }: Sent): number {
  return isRead(operation) ? 0 : sum(units.values())
}

function placesOf(calls: readonly MeasuredCall[], weigh: readonly number[]): readonly PlaceUnits[] {
  const places = new Map<string, { readUnits: number; writeUnits: number }>()
  calls.forEach(({ sent }, i) => {
    for (const { operation, units } of sent) {
      for (const [place, amount] of units) {
        const entry = places.get(place) ?? { readUnits: 0, writeUnits: 0 }
        if (isRead(operation)) entry.readUnits += amount * (weigh[i] ?? 0)
        else entry.writeUnits += amount * (weigh[i] ?? 0)
        places.set(place, entry)
      }
    }
  })
  return [...places].map(([place, units]) => ({ place, ...units }))
}

function entitiesIn(trial: Trial, calls: readonly MeasuredCall[]): Record<string, number> {
  const most = new Map<string, number>()
  for (const { sent } of calls) {
    const counts = new Map<string, number>()
    for (const item of sent.flatMap(({ items }) => items)) {
      const kind = kindOfItem(trial.model, item) ?? '?'
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
    }
    for (const [kind, count] of counts) most.set(kind, Math.max(most.get(kind) ?? 0, count))
  }
  return Object.fromEntries(most)
}

interface Returned {
  readonly items: number
  readonly bytes: number
}

/** What a call returns to its caller: only the pattern's entities, and of several shards together no more than the
 *  limit. */
function returnedBy(trial: Trial, pattern: PatternDescription, { sent }: MeasuredCall): Returned {
  const all = sent.flatMap(({ items }) => items)
  const meant = all.filter((item) => {
    const kind = kindOfItem(trial.model, item)
    return kind === undefined || pattern.entities.includes(kind)
  })
  const kept = pattern.limit === undefined ? meant : meant.slice(0, pattern.limit)
  return { items: kept.length, bytes: kept.reduce((total, item) => total + itemSizeBytes(item), 0) }
}

const pageBytes = 1024 * 1024

/** If the model declares how many items a call reads, the units are those of that many items of the measured size. */
function scaled(trial: Trial, pattern: PatternDescription, measured: PatternMeasurement): PatternMeasurement {
  const expected = expectedItems(trial.model, pattern)
  const { itemsRead, readUnits } = measured
  if (expected === undefined || itemsRead === 0 || Math.abs(expected - itemsRead) <= itemsRead * 0.05)
    return measured
  // If a limit was reached, there were enough items.
  if (pattern.limit !== undefined && !measured.isComplete) return measured
  const requests = pattern.shards?.count ?? 1
  const bytes = Math.min(pageBytes, ((measured.bytesRead / itemsRead) * expected) / requests)
  const units = requests * Math.ceil(bytes / 4096) * (pattern.isConsistent ? 1 : 0.5)
  const factor = (bytes * requests) / measured.bytesRead
  const unitsFactor = readUnits === 0 ? 0 : units / readUnits
  return {
    ...measured,
    itemsRead: itemsRead * factor,
    itemsReturned: Math.min(pattern.limit ?? Infinity, measured.itemsReturned * factor),
    bytesRead: measured.bytesRead * factor,
    bytesReturned: measured.bytesReturned * factor,
    readUnits: units,
    maxReadUnits: Math.max(units, measured.maxReadUnits),
    places: measured.places.map((place) => ({ ...place, readUnits: place.readUnits * unitsFactor })),
    isComplete: measured.isComplete && bytes < pageBytes,
    scaled: { fromItems: itemsRead, toItems: itemsRead * factor },
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
