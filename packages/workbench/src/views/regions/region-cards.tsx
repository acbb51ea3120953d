import { Globe, HeartPulse } from '../../icons/icons.generated.ts'
import type { GlobalTable, RegionState } from '../../answers/regions.ts'
import { useInfo } from '../../api/queries.ts'
import { Button } from '../../components/controls/button.tsx'
import { Select } from '../../components/controls/field.tsx'
import { ErrorBox } from '../../components/messages/notices.tsx'
import { Panel } from '../../components/page/page.tsx'
import { Badge } from '../../components/values/badge.tsx'
import { formatMs, plural } from '../../values/format.ts'
import { useRegionAction, type RegionAction } from './use-regions.ts'

const lags = [
  { value: '0', label: 'no lag' },
  { value: '500', label: '0.5 s' },
  { value: '3000', label: '3 s' },
  { value: '10000', label: '10 s' },
  { value: '60000', label: '1 minute' },
]

/** The regions, and what can be done to each. */
export function RegionCards({
  regions,
  tables,
}: {
  readonly regions: readonly RegionState[]
  readonly tables: readonly GlobalTable[]
}) {
  const { act, busyRegion, error } = useRegionAction()
  const isReadOnly = useInfo()?.readOnly === true
  const isAnyHurt = regions.some(isHurt)
  return (
    <Panel
      title="Regions"
      hint="Cut a region off, slow it or take it down, and see what your application makes of it."
      actions={
        isAnyHurt && (
          <Button icon={<HeartPulse />} disabled={isReadOnly} onClick={() => void act('heal', '')}>
            Heal all
          </Button>
        )
      }
    >
      <div className="stack">
        {error !== undefined && <ErrorBox error={error} />}
        <ul className="region-cards">
          {regions.map((region) => (
            <RegionCard
              key={region.name}
              region={region}
              replicas={tables.filter(({ replicas }) => replicas.some((one) => one.region === region.name)).length}
              isDisabled={isReadOnly || busyRegion !== undefined}
              act={(action, ms) => void act(action, region.name, ms)}
            />
          ))}
        </ul>
      </div>
    </Panel>
  )
}

function RegionCard({
  region,
  replicas,
  isDisabled,
  act,
}: {
  readonly region: RegionState
  readonly replicas: number
  readonly isDisabled: boolean
  readonly act: (action: RegionAction, ms?: number) => void
}) {
  const { name, isIsolated, isDown, lagMs } = region
  const known = lags.some(({ value }) => Number(value) === lagMs)
  return (
    <li className={`region-card ${isHurt(region) ? 'is-hurt' : ''}`}>
      <div className="region-card-head">
        <Globe aria-hidden />
        <h3 className="grow truncate">{name}</h3>
        <Condition region={region} />
      </div>
      <p className="muted">{plural(replicas, 'replica')}</p>
      <div className="region-card-actions">
        <Button
          disabled={isDisabled || isIsolated}
          title="Replication stops; requests to it still work"
          onClick={() => act('isolate')}
        >
          Isolate<span className="visually-hidden"> {name}</span>
        </Button>
        <Button
          disabled={isDisabled || isDown}
          title="Requests to it fail with 503, and replication stops"
          onClick={() => act('down')}
        >
          Take down<span className="visually-hidden"> {name}</span>
        </Button>
        <Select
          aria-label={`Lag of ${name}`}
          value={String(lagMs)}
          disabled={isDisabled}
          options={known ? lags : [...lags, { value: String(lagMs), label: formatMs(lagMs) }]}
          onChange={(value) => act('lag', Number(value))}
        />
        {isHurt(region) && (
          <Button tone="primary" disabled={isDisabled} onClick={() => act('heal')}>
            Heal<span className="visually-hidden"> {name}</span>
          </Button>
        )}
      </div>
    </li>
  )
}

function Condition({ region: { isDown, isIsolated, lagMs } }: { readonly region: RegionState }) {
  return (
    <span className="row">
      {isDown && <Badge tone="danger">down</Badge>}
      {isIsolated && <Badge tone="warning">isolated</Badge>}
      {lagMs > 0 && <Badge tone="warning">{formatMs(lagMs)} late</Badge>}
      {!isDown && !isIsolated && lagMs === 0 && <Badge tone="success">healthy</Badge>}
    </span>
  )
}

function isHurt({ isDown, isIsolated, lagMs }: RegionState): boolean {
  return isDown || isIsolated || lagMs > 0
}
