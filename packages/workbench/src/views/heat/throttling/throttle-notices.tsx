import { Link } from 'wouter'
import type { TableDescription } from '../../../api-types.ts'
import { Notice } from '../../../components/messages/notices.tsx'
import { useLink } from '../../../state/links.ts'
import { percent } from '../figures/percent.ts'
import type { PlaceHeat } from '../../../answers/heat.ts'
import { throttleFindings, type ThrottleFinding } from './throttle-findings.ts'

/** What was throttled, or would have been: why, and what to do about it. */
export function ThrottleNotices({
  place,
  description,
  range,
}: {
  readonly place: PlaceHeat
  readonly description: TableDescription | undefined
  readonly range: string
}) {
  const maximum = description?.OnDemandThroughput
  const findings = throttleFindings(place, {
    read: maximum?.MaxReadRequestUnits,
    write: maximum?.MaxWriteRequestUnits,
  })
  return findings.map((finding) => (
    <ThrottleNotice
      key={`${finding.side}/${finding.kind}/${finding.reason}`}
      finding={finding}
      range={range}
      table={description?.TableName}
    />
  ))
}

function ThrottleNotice({
  finding,
  range,
  table,
}: {
  readonly finding: ThrottleFinding
  readonly range: string
  readonly table: string | undefined
}) {
  const link = useLink()
  const { sentence, remedy, reasonName, key, kind } = finding
  return (
    <Notice tone="warning" title={`Within ${range}: ${sentence}`}>
      {remedy}{' '}
      {key !== undefined && key.share >= 0.2 && (
        <>
          <code dir="auto">{key.text.slice(0, 100)}</code>{' '}
          {key.of === 'units'
            ? `takes ${percent(key.share)} of all ${finding.side} units.`
            : `has ${percent(key.share)} of these requests.`}{' '}
        </>
      )}
      <span className="muted">
        {kind === 'would' ? 'The reason would most likely be' : 'The reason was'} <code>{reasonName}</code>.
        {kind === 'would' && (
          <>
            {' '}
            No request was throttled here. Start hashrange with{' '}
            <code className="heat-flag">--throttling enforce</code> to see how your program reacts.
          </>
        )}
      </span>
      {table !== undefined && finding.reason === 'ProvisionedThroughput' && (
        <>
          {' '}
          <Link href={link('tables', table)}>Change the table’s capacity</Link>
        </>
      )}
    </Notice>
  )
}
