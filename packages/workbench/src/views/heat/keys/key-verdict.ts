import { formatCount, formatUnits } from '../../../values/format.ts'
import { percent } from '../figures/percent.ts'
import type { Side, TopKeys } from '../../../answers/heat.ts'
import { partitionLimit, shareOf } from './key-share.ts'

/** What the hottest key means, in a sentence. */
export interface KeyVerdict {
  /** `none`: nothing stands out. `uneven`: one key has much of it. `hot`: and comes near to what a partition takes. */
  readonly level: 'none' | 'uneven' | 'hot'
  readonly sentence: string
}

/** From which share of everything one key is worth a word, and from which share of a partition a warning. */
const muchOfAll = 0.25
const muchOfPartition = 0.5

/** Undefined if no key was used. */
export function keyVerdict(keys: TopKeys, side: Side): KeyVerdict | undefined {
  const [first] = side === 'read' ? keys.reads : keys.writes
  if (first === undefined) return undefined
  const share = shareOf(first, keys, side)
  const what = side === 'read' ? 'reads' : 'writes'
  const unit = side === 'read' ? 'RCU' : 'WCU'
  const limit = partitionLimit[side]
  const perSecond = first.amount / Math.max(1, keys.seconds)
  if (share < muchOfAll && perSecond < limit * muchOfPartition) {
    return { level: 'none', sentence: `No key stands out: the busiest gets ${percent(share)} of ${what}.` }
  }
  const sentence =
    `${first.text.slice(0, 120)} gets ${percent(share)} of ${what}: ${formatUnits(perSecond)} ${unit} per second on average. ` +
    `A partition supports ${formatCount(limit)}.`
  return { level: perSecond >= limit * muchOfPartition ? 'hot' : 'uneven', sentence }
}
