import { formatCount, formatUnits, plural } from '../../../values/format.ts'
import type { PlaceHeat, Side } from '../../../answers/heat.ts'
import { partitionLimit, shareOf } from '../keys/key-share.ts'

/** Requests that were throttled, or would have been, of one table or index: why, and what to do. */
export interface ThrottleFinding {
  readonly side: Side
  readonly kind: 'throttled' | 'would'
  readonly count: number
  readonly reason: Reason
  /** The service's word for it, like `TableWriteKeyRangeThroughputExceeded`. */
  readonly reasonName: string
  readonly sentence: string
  readonly remedy: string
  readonly key: FindingKey | undefined
}

/** A key that explains it. */
export interface FindingKey {
  readonly text: string
  readonly share: number
  /** `units`: of everything that was used, so that others are throttled because of it. `requests`: of those that were throttled. */
  readonly of: 'units' | 'requests'
}

export type Reason = 'ProvisionedThroughput' | 'KeyRangeThroughput' | 'MaxOnDemandThroughput' | 'AccountLimit'

const accountLimit = 40_000

export function throttleFindings(place: PlaceHeat, maximums?: OnDemandMaximums): readonly ThrottleFinding[] {
  return (['read', 'write'] as const).flatMap((side) => [
    ...refused(place, side),
    ...wouldHaveBeen(place, side, maximums),
  ])
}

export interface OnDemandMaximums {
  readonly read: number | undefined
  readonly write: number | undefined
}

/** The reasons of throttled requests are counted. */
function refused(place: PlaceHeat, side: Side): readonly ThrottleFinding[] {
  const prefix = side === 'read' ? 'Read' : 'Write'
  return place.history.reasons.flatMap(({ name, count }) => {
    const reason = reasons.find((one) => name === `${prefix}${one}ThrottleEvents`)
    return reason === undefined ? [] : [finding(place, side, 'throttled', count, reason)]
  })
}

/** Requests that were admitted are reported once, with the reason that most of them had. */
function wouldHaveBeen(place: PlaceHeat, side: Side, maximums?: OnDemandMaximums): readonly ThrottleFinding[] {
  const counts = side === 'read' ? place.history.readWouldThrottles : place.history.writeWouldThrottles
  const count = counts.reduce((sum, one) => sum + one, 0)
  if (count === 0) return []
  const reason = countedReason(place, side) ?? likelyReason(place, side, maximums)
  return [finding(place, side, 'would', count, reason)]
}

function countedReason({ history }: PlaceHeat, side: Side): Reason | undefined {
  const prefix = side === 'read' ? 'Read' : 'Write'
  const countOf = (reason: Reason): number =>
    history.reasons.find(({ name }) => name === `${prefix}${reason}WouldBeThrottleEvents`)?.count ?? 0
  const [most] = reasons.toSorted((a, b) => countOf(b) - countOf(a))
  return most !== undefined && countOf(most) > 0 ? most : undefined
}

/** What was recorded before reasons were: the reason follows from what was used. */
function likelyReason({ report, history }: PlaceHeat, side: Side, maximums?: OnDemandMaximums): Reason {
  const rates = side === 'read' ? history.read : history.write
  const peak = Math.max(0, ...rates)
  const { provisioned } = report
  if (provisioned !== undefined) {
    const units = side === 'read' ? provisioned.readUnits : provisioned.writeUnits
    const average = rates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, rates.length)
    return peak > partitionLimit[side] && average <= units ? 'KeyRangeThroughput' : 'ProvisionedThroughput'
  }
  const maximum = maximums?.[side]
  if (maximum !== undefined && maximum > 0 && peak > maximum) return 'MaxOnDemandThroughput'
  return peak > accountLimit ? 'AccountLimit' : 'KeyRangeThroughput'
}

function finding(
  place: PlaceHeat,
  side: Side,
  kind: ThrottleFinding['kind'],
  count: number,
  reason: Reason,
): ThrottleFinding {
  const key = throttledKey(place, side)
  const what = plural(count, side)
  return {
    side,
    kind,
    count,
    reason,
    reasonName: `${place.report.indexName === undefined ? 'Table' : 'Index'}${side === 'read' ? 'Read' : 'Write'}${reason}Exceeded`,
    sentence:
      kind === 'throttled'
        ? `${what} ${count === 1 ? 'was' : 'were'} throttled. ${why(place, side, reason)}`
        : `AWS would have throttled ${what}. ${why(place, side, reason)}`,
    remedy: remedyFor(place, side, reason, key),
    key,
  }
}

function why({ report }: PlaceHeat, side: Side, reason: Reason): string {
  const units = side === 'read' ? 'read units' : 'write units'
  switch (reason) {
    case 'ProvisionedThroughput': {
      const set = side === 'read' ? report.provisioned?.readUnits : report.provisioned?.writeUnits
      return `${set === undefined ? 'The provisioned capacity is' : `${formatUnits(set)} ${units} per second are provisioned, and they are`} used up, including the burst capacity of five minutes.`
    }
    case 'KeyRangeThroughput':
      return `One partition supports ${formatCount(partitionLimit[side])} ${units} per second, and this one got more requests than that.`
    case 'MaxOnDemandThroughput':
      return `Its maximum on-demand throughput has been reached.`
    case 'AccountLimit':
      return `The account quota is ${formatCount(accountLimit)} ${units} per second for each table.`
  }
}

function remedyFor({ report }: PlaceHeat, side: Side, reason: Reason, key: ThrottleFinding['key']): string {
  const whose = report.indexName === undefined ? "the table's" : `the index ${report.indexName}'s`
  switch (reason) {
    case 'ProvisionedThroughput':
      return `Raise ${whose} ${side === 'read' ? 'ReadCapacityUnits' : 'WriteCapacityUnits'} or let auto scaling do it, or switch to on-demand mode.`
    case 'KeyRangeThroughput':
      if (key !== undefined && key.share >= 0.5) {
        return side === 'read'
          ? 'Most of the load is on one key, so splitting the partition does not help. Cache it, use eventually consistent reads, or keep copies of it under several keys.'
          : 'Most of the load is on one key, so splitting the partition does not help. Spread the writes over several keys, for example with a suffix from 0 to 9, and combine them when you read.'
      }
      return side === 'read'
        ? 'Spread reads over more partition keys, use eventually consistent reads, or cache the items that are read most.'
        : 'Spread writes over more partition keys, for example with a suffix from 0 to 9. If the load rises slowly, DynamoDB has time to split the partition.'
    case 'MaxOnDemandThroughput':
      return `Raise ${whose} ${side === 'read' ? 'MaxReadRequestUnits' : 'MaxWriteRequestUnits'}, or remove it.`
    case 'AccountLimit':
      return 'Ask AWS for a higher quota, or use several tables.'
  }
}

/** One key with large items throttles the small requests beside it, and those may be more: what fills the partition is the cause. */
function throttledKey(place: PlaceHeat, side: Side): FindingKey | undefined {
  const [busiest] = side === 'read' ? place.keys.reads : place.keys.writes
  const share = busiest === undefined ? 0 : shareOf(busiest, place.keys, side)
  if (busiest !== undefined && share >= 0.5) return { text: busiest.text, share, of: 'units' }
  return mostThrottledKey(place, side)
}

function mostThrottledKey({ keys, history }: PlaceHeat, side: Side): FindingKey | undefined {
  const ranked = side === 'read' ? keys.throttledReads : keys.throttledWrites
  const counted =
    side === 'read'
      ? sum(history.readThrottles) + sum(history.readWouldThrottles)
      : sum(history.writeThrottles) + sum(history.writeWouldThrottles)
  // Of many keys only the first are listed.
  const all = Math.max(counted, sum(ranked.map(({ amount }) => amount)))
  const [first] = ranked
  return first === undefined || all === 0
    ? undefined
    : { text: first.text, share: first.amount / all, of: 'requests' }
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

const reasons: readonly Reason[] = [
  'ProvisionedThroughput',
  'KeyRangeThroughput',
  'MaxOnDemandThroughput',
  'AccountLimit',
]
