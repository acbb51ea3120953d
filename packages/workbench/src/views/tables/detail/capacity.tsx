import { useState } from 'react'
import { isOnDemand } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Choice, Field, TextInput } from '../../../components/controls/field.tsx'
import { ErrorBox } from '../../../components/messages/notices.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { CapacityCost } from '../capacity-cost.tsx'
import { billingOptions } from '../create/options.tsx'
import type { TableDraft } from '../create/table-draft.ts'
import { Alarms } from './scaling/alarms.tsx'
import { AutoScaling } from './scaling/auto-scaling.tsx'
import { ContributorInsights } from './scaling/contributor-insights.tsx'
import { limitsOf, limitsProblem, throughputInput, unitsOf, unitsProblem, type Units } from './throughput-input.ts'
import { useUpdate } from './use-update.ts'
import '../create/create-table.css'
import './scaling/scaling.css'

/** How the table and its indexes are paid for, and how much they may do. */
export function Capacity({
  table,
  isReadOnly,
}: {
  readonly table: TableDescription
  readonly isReadOnly: boolean
}) {
  const [billing, setBilling] = useState<TableDraft['billing']>(
    isOnDemand(table) ? 'PAY_PER_REQUEST' : 'PROVISIONED',
  )
  const [units, setUnits] = useState<Readonly<Record<string, Units>>>(() => unitsOf(table))
  const [limits, setLimits] = useState<Units>(() => limitsOf(table))
  const { update, isBusy, error } = useUpdate()
  const names = ['', ...(table.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => IndexName)]
  const input = throughputInput(table, billing, units, limits)
  const problem = billing === 'PROVISIONED' ? unitsProblem(billing, units) : limitsProblem(limits)
  const change = (name: string, changes: Partial<Units>): void =>
    setUnits((known) => ({ ...known, [name]: { ...(known[name] ?? { read: '', write: '' }), ...changes } }))
  const total = (of: 'read' | 'write'): number =>
    names.reduce((sum, name) => sum + Number(units[name]?.[of] ?? 0), 0)
  return (
    <div className="detail">
      <Panel title="Capacity" className="is-two-thirds">
        <div className="detail-form">
          {error !== undefined && <ErrorBox error={error} />}
          <Choice label="Mode" value={billing} onChange={setBilling} options={billingOptions} />
          {billing === 'PAY_PER_REQUEST' && (
            <>
              <div className="unit-fields">
                <Field label="Maximum read units per second" isOptional>
                  <TextInput
                    inputMode="numeric"
                    placeholder="no limit"
                    value={limits.read}
                    onChange={(event) => setLimits({ ...limits, read: event.target.value })}
                  />
                </Field>
                <Field label="Maximum write units per second" isOptional>
                  <TextInput
                    inputMode="numeric"
                    placeholder="no limit"
                    value={limits.write}
                    onChange={(event) => setLimits({ ...limits, write: event.target.value })}
                  />
                </Field>
              </div>
              <p className={problem === undefined ? 'field-hint' : 'field-error'}>
                {problem ??
                  'A maximum keeps a mistake from becoming a large bill: requests above it are throttled.'}
              </p>
            </>
          )}
          {billing === 'PROVISIONED' && (
            <>
              {names.map((name) => (
                <div key={name} className="unit-fields">
                  <Field label={`Read units of ${name === '' ? 'the table' : name}`}>
                    <TextInput
                      inputMode="numeric"
                      value={units[name]?.read ?? ''}
                      onChange={(event) => change(name, { read: event.target.value })}
                    />
                  </Field>
                  <Field label={`Write units of ${name === '' ? 'the table' : name}`}>
                    <TextInput
                      inputMode="numeric"
                      value={units[name]?.write ?? ''}
                      onChange={(event) => change(name, { write: event.target.value })}
                    />
                  </Field>
                </div>
              ))}
              {problem === undefined ? (
                <CapacityCost readUnits={total('read')} writeUnits={total('write')} />
              ) : (
                <p className="field-error">{problem}</p>
              )}
            </>
          )}
          {!isReadOnly && (
            <Button
              tone="primary"
              isBusy={isBusy}
              disabled={input === undefined || problem !== undefined}
              onClick={() => void (input && update('UpdateTable', input, 'Capacity changed'))}
            >
              Save capacity
            </Button>
          )}
        </div>
      </Panel>
      <Panel title="How units are counted" className="is-third">
        <ul className="stack muted">
          <li>
            One read unit is one strongly consistent read of up to 4 KB, or two eventually consistent reads.
            Transactional reads take two units.
          </li>
          <li>
            One write unit is one write of up to 1 KB. Transactional writes take two units, and each index that
            changes takes its own units.
          </li>
          <li>A query is rounded up once for all it reads; a filter saves no units.</li>
        </ul>
      </Panel>
      <AutoScaling table={table} isReadOnly={isReadOnly} />
      <Alarms tableName={table.TableName} isReadOnly={isReadOnly} />
      <ContributorInsights table={table} isReadOnly={isReadOnly} />
    </div>
  )
}
