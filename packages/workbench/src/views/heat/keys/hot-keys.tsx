import { Search } from '../../../icons/icons.generated.ts'
import { useState } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../../components/values/badge.tsx'
import { Button } from '../../../components/controls/button.tsx'
import { CopyButton } from '../../../components/messages/copy-button.tsx'
import { useLink } from '../../../state/links.ts'
import { formatCount, formatUnits } from '../../../values/format.ts'
import type { Side, TopKey, TopKeys } from '../../../answers/heat.ts'
import { itemsParameters, queryParameters } from './key-parameters.ts'
import { shareOf } from './key-share.ts'
import { keyVerdict } from './key-verdict.ts'
import { percent } from '../figures/percent.ts'

export interface HotKeysProps {
  readonly table: string
  readonly indexName: string | undefined
  readonly top: TopKeys
  readonly side: Side
  readonly label: string
  /** Whether nothing was throttled: the throttles are those that would have been. */
  readonly isMeasured: boolean
}

/** The keys that are used most, with bars of their share of everything, and what it comes to in a sentence. */
export function HotKeys({ table, indexName, top, side, label, isMeasured }: HotKeysProps) {
  const link = useLink()
  const [isAll, setAll] = useState(false)
  const keys = side === 'read' ? top.reads : top.writes
  const throttled = side === 'read' ? top.throttledReads : top.throttledWrites
  const unit = side === 'read' ? 'RCU' : 'WCU'
  const verdict = keyVerdict(top, side)
  if (keys.length === 0)
    return <p className="muted">None in this period. A Scan counts towards the table, but not towards a key.</p>
  return (
    <>
      {verdict !== undefined && (
        <p className={`heat-verdict is-${verdict.level}`} dir="auto">
          {verdict.sentence}
        </p>
      )}
      <ol className="heat-keys" aria-label={label}>
        {(isAll ? keys : keys.slice(0, keysFirst)).map((key) => {
          const refused = throttled.find(({ text }) => text === key.text)
          return (
            <li key={JSON.stringify(key.values)}>
              <div className="heat-key-head">
                <Link
                  href={link('items', table, itemsParameters(indexName, key.values))}
                  className="heat-key-text mono truncate"
                  dir="auto"
                  aria-label={`Items of ${key.text.slice(0, 200)}`}
                  title={key.text.slice(0, 500)}
                >
                  {key.text.slice(0, 200)}
                </Link>
                {refused !== undefined && (
                  <Badge tone="warning">
                    {formatCount(refused.amount)} {isMeasured ? 'would throttle' : 'throttled'}
                  </Badge>
                )}
                <span className="grow" />
                <span className="number heat-key-amount" title={exactness(key)}>
                  {formatUnits(key.amount)} {unit}
                </span>
                <span className="number heat-key-share">{percent(shareOf(key, top, side))}</span>
                <CopyButton label="Copy key" text={key.text} />
                <Link
                  href={link('query', table, queryParameters(indexName, key.values))}
                  className="heat-key-link"
                  aria-label={`Query ${key.text.slice(0, 60)}`}
                  title="Query this key"
                >
                  <Search aria-hidden />
                </Link>
              </div>
              <div className="heat-key-bar" aria-hidden>
                <span style={{ width: `${String(shareOf(key, top, side) * 100)}%` }} />
              </div>
            </li>
          )
        })}
      </ol>
      {keys.length > keysFirst && (
        <Button tone="quiet" className="heat-more" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? 'Show fewer' : `Show ${String(keys.length - keysFirst)} more`}
        </Button>
      )}
    </>
  )
}

const keysFirst = 5

/** Counts come from a sketch of bounded size. */
function exactness({ amount, overestimate }: TopKey): string {
  if (overestimate <= 0) return 'counted exactly'
  return `between ${formatUnits(Math.max(0, amount - overestimate))} and ${formatUnits(amount)}`
}
