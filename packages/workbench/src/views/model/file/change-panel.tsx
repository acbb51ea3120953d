import type { ModelFileError } from '../../../answers/models.ts'
import { Badge, type BadgeTone } from '../../../components/values/badge.tsx'
import { Notice } from '../../../components/messages/notices.tsx'
import { ScrollRegion } from '../../../components/page/scroll-region.tsx'
import { formatDollars } from '../../../values/dollars.ts'
import { formatUnits, plural } from '../../../values/format.ts'
import { FindingList } from '../finding-list.tsx'
import type { HeatChange, ModelChange, PatternChange } from './compare-models.ts'

const tones: Readonly<Record<PatternChange['kind'], BadgeTone>> = {
  failing: 'danger',
  removed: 'warning',
  added: 'info',
  changed: 'accent',
  same: 'neutral',
}

/** What a change does, before beside after. */
export function ChangePanel({
  change,
  problem,
  isBehind,
}: {
  readonly change: ModelChange | undefined
  readonly problem: ModelFileError | undefined
  readonly isBehind: boolean
}) {
  const shown = change?.patterns.filter(({ kind }) => kind !== 'same') ?? []
  const same = (change?.patterns.length ?? 0) - shown.length
  return (
    <ScrollRegion label="What the change does" className="model-change stack">
      <div className="row">
        <h2 className="model-change-title grow">What the change does</h2>
        {isBehind && <Badge>running …</Badge>}
      </div>
      {problem !== undefined && (
        <Notice tone="warning" title="This is not a model yet">
          <span className="mono">{problem.message}</span>
        </Notice>
      )}
      {change === undefined ? (
        problem === undefined && (
          <p className="muted">
            Change the file: a moment later, its patterns are run, and you see here what becomes of their units,
            dollars, findings and heat. Nothing is saved until you save it.
          </p>
        )
      ) : (
        <>
          <p className="model-change-bill">
            <span>On demand</span>
            <BeforeAfter before={change.dollarsBefore} after={change.dollarsAfter} text={formatDollars} />
            <span className="muted">per month</span>
          </p>
          {change.solved > 0 && <p>{plural(change.solved, 'finding')} solved.</p>}
          {change.newFindings.length > 0 && <FindingList findings={change.newFindings} withPlace />}
          {shown.length > 0 && <ChangeTable changes={shown} />}
          {change.heat.length > 0 && <HeatTable changes={change.heat} />}
          {same > 0 && (
            <p className="muted">
              {plural(same, 'pattern')} {same === 1 ? 'stays' : 'stay'} as {same === 1 ? 'it is' : 'they are'}.
            </p>
          )}
        </>
      )}
    </ScrollRegion>
  )
}

function ChangeTable({ changes }: { readonly changes: readonly PatternChange[] }) {
  return (
    <table className="plain-table" aria-label="Patterns that change">
      <thead>
        <tr>
          <th>Pattern</th>
          <th className="is-end">Units per call</th>
          <th className="is-end">On demand</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((each) => (
          <tr key={each.pattern}>
            <td>
              <span className="plain-name mono">{each.pattern}</span>{' '}
              <Badge tone={tones[each.kind]}>{each.kind}</Badge>
              {each.newFindings.length > 0 && <FindingList findings={each.newFindings} />}
            </td>
            <td className="is-end number">
              <BeforeAfter before={each.unitsBefore} after={each.unitsAfter} text={formatUnits} />
            </td>
            <td className="is-end number">
              <BeforeAfter before={each.dollarsBefore} after={each.dollarsAfter} text={formatDollars} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A partition takes 3,000 read and 1,000 write units a second. */
function HeatTable({ changes }: { readonly changes: readonly HeatChange[] }) {
  return (
    <table className="plain-table" aria-label="Busiest keys that change">
      <thead>
        <tr>
          <th>Busiest key at the peak</th>
          <th className="is-end">Load of its partition</th>
        </tr>
      </thead>
      <tbody>
        {changes.slice(0, mostHeat).map(({ place, key, before, after }) => (
          <tr key={`${place} ${key}`}>
            <td>
              <span className="plain-name mono">{key}</span> <span className="muted">{place}</span>
            </td>
            <td className="is-end number">
              <BeforeAfter before={before} after={after} text={formatShare} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const mostHeat = 8

function formatShare(share: number): string {
  if (share > 0 && share < 0.0005) return '< 0.1 %'
  return `${share < 0.0995 ? (share * 100).toFixed(1) : String(Math.round(share * 100))} %`
}

function BeforeAfter({
  before,
  after,
  text,
}: {
  readonly before: number | undefined
  readonly after: number | undefined
  readonly text: (value: number) => string
}) {
  const show = (value: number | undefined): string => (value === undefined ? '–' : text(value))
  if (before === after) return <span className="number">{show(after)}</span>
  return (
    <span className="number">
      <span className="muted">{show(before)}</span> <span aria-label="becomes">→</span>{' '}
      <strong className={(after ?? 0) > (before ?? 0) ? 'model-dearer' : 'model-cheaper'}>{show(after)}</strong>
    </span>
  )
}
