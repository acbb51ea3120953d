import type { KeyTemplateDescription, PatternDescription } from '@hashrange/model'
import type { PatternMeasurement } from '@hashrange/model/check'
import type { ModelCost } from '@hashrange/model/cost'
import { Play } from '../../icons/icons.generated.ts'
import { Fragment } from 'react'
import { Link } from 'wouter'
import { modelId, type LoadedModel } from '../../api/models.ts'
import { ScrollRegion } from '../../components/page/scroll-region.tsx'
import { EntityChip } from '../../components/values/badge.tsx'
import { Skeleton } from '../../components/messages/notices.tsx'
import { useLink } from '../../state/links.ts'
import { formatUnits } from '../../values/format.ts'
import { KeyTemplate } from '../query/pattern/key-template.tsx'
import { isRunnable, keyOfPattern, type PatternKey } from '../query/pattern/pattern-form.ts'
import '../../components/page/plain-table.css'
import { formatDollars } from '../../values/dollars.ts'
import { FindingList, FindingMarks } from './finding-list.tsx'
import { findingsAt, type CheckAnswer } from './model-queries.ts'
import './patterns-tab.css'

export interface ModelTabProps {
  readonly model: LoadedModel
  readonly check: CheckAnswer | undefined
  readonly cost: ModelCost | undefined
}

export interface PatternsTabProps extends ModelTabProps {
  /** The pattern whose findings are shown. */
  readonly open: string
  readonly onOpen: (pattern: string) => void
}

/** The access patterns as the spreadsheet that a single-table design starts with: what is asked, by which key, at
 *  what price. */
export function PatternsTab({ model, check, cost, open, onOpen }: PatternsTabProps) {
  const { patterns } = model.description
  return (
    <ScrollRegion label="Access patterns" className="model-scroll">
      <table className="plain-table model-patterns" aria-label="Access patterns">
        <thead>
          <tr>
            <th>Pattern</th>
            <th>Request</th>
            <th>Key condition</th>
            <th>Entities</th>
            <th className="is-end">Calls/s</th>
            <th className="is-end">Units per call</th>
            <th className="is-end">On demand</th>
            <th>Check</th>
            <th>
              <span className="visually-hidden">Run</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {patterns.map((pattern) => {
            const findings = findingsAt(check, 'pattern', pattern.name)
            const isOpen = open === pattern.name
            const measured = check?.patterns.find((each) => each.pattern === pattern.name)
            const priced = cost?.patterns.find((each) => each.pattern === pattern.name)
            return (
              <Fragment key={pattern.name}>
                <tr className={isOpen ? 'is-open' : undefined}>
                  <td>
                    <span className="plain-name mono">{pattern.name}</span>
                    {pattern.description !== undefined && <p className="model-hint">{pattern.description}</p>}
                  </td>
                  <td className="model-request">
                    {requestOf(pattern, measured)}
                    <p className="model-hint">{placeOf(model, pattern)}</p>
                  </td>
                  <td>
                    <KeyCondition model={model} pattern={pattern} />
                  </td>
                  <td>
                    <span className="model-chips">
                      {pattern.entities.map((name) => (
                        <EntityChip key={name} name={name} />
                      ))}
                    </span>
                  </td>
                  <td className="is-end number">
                    {pattern.traffic.rate === undefined ? (
                      <span className="muted">–</span>
                    ) : (
                      formatUnits(pattern.traffic.rate)
                    )}
                  </td>
                  <td className="is-end number">{unitsOf(measured)}</td>
                  <td className="is-end number">
                    {priced === undefined || priced.rate === undefined || !priced.isKnown ? (
                      <span className="muted">–</span>
                    ) : (
                      formatDollars(priced.onDemand)
                    )}
                  </td>
                  <td>
                    {check === undefined ? (
                      <Skeleton lines={1} />
                    ) : findings.length === 0 ? (
                      <FindingMarks findings={findings} />
                    ) : (
                      <button
                        type="button"
                        className="model-finding-toggle"
                        aria-expanded={isOpen}
                        aria-label={`Findings of ${pattern.name}`}
                        onClick={() => onOpen(isOpen ? '' : pattern.name)}
                      >
                        <FindingMarks findings={findings} />
                      </button>
                    )}
                  </td>
                  <td>{isRunnable(pattern) && <RunLink model={model} pattern={pattern} />}</td>
                </tr>
                {isOpen && findings.length > 0 && (
                  <tr className="model-pattern-findings">
                    <td colSpan={9}>
                      <FindingList findings={findings} />
                    </td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function RunLink({ model, pattern }: { readonly model: LoadedModel; readonly pattern: PatternDescription }) {
  const link = useLink()
  const table = model.description.tables.find(({ id }) => id === pattern.table)?.name
  const href = link('query', table, {
    mode: 'pattern',
    model: modelId(model),
    pattern: pattern.name,
  })
  return (
    <Link className="model-run" href={href} aria-label={`Run ${pattern.name}`}>
      <Play aria-hidden />
      Run
    </Link>
  )
}

function KeyCondition({ model, pattern }: { readonly model: LoadedModel; readonly pattern: PatternDescription }) {
  const key = keyOfPattern(model.description, pattern) ?? keyOfWritten(model, pattern)
  if (key === undefined) {
    return (
      <span className="muted">{pattern.operation === 'Scan' ? 'none: reads everything' : stepsOf(pattern)}</span>
    )
  }
  const { between, range } = key
  return (
    <div>
      {key.partition.map((template) => (
        <KeyLine key={template.attribute} name={template.attribute} comparison="=" template={template} />
      ))}
      {key.sort.map((template) => (
        <KeyLine
          key={template.attribute}
          name={template.attribute}
          comparison={key.comparison}
          template={template}
        />
      ))}
      {between !== undefined && (
        <div className="model-key">
          <span className="model-key-name">{between.attribute}</span>
          <span className="muted">between</span>
          {between.from} <span className="muted">and</span> {between.to}
        </div>
      )}
      {range !== undefined && <div className="model-hint">{range} may be bounded</div>}
    </div>
  )
}

function KeyLine({
  name,
  comparison,
  template,
}: {
  readonly name: string
  readonly comparison: string
  readonly template: KeyTemplateDescription
}) {
  return (
    <div className="model-key">
      <span className="model-key-name">{name}</span>
      <span className="muted">{comparison}</span>
      <KeyTemplate template={template} texts={{}} />
    </div>
  )
}

/** What writes one item writes it by its key. */
function keyOfWritten({ description }: LoadedModel, pattern: PatternDescription): PatternKey | undefined {
  const entity = description.entities.find(({ name }) => name === pattern.entities[0])
  if (entity === undefined || pattern.steps !== undefined || pattern.operation === 'Scan') return undefined
  const { partition, sort } = entity.key
  return {
    partition: [partition],
    sort: sort === undefined ? [] : [sort],
    comparison: '=',
    range: undefined,
    between: undefined,
  }
}

/** `create Order, 3 × put OrderItem`. */
function stepsOf({ steps = [] }: PatternDescription): string {
  return steps
    .map(({ action, entity, count }) => `${count > 1 ? `${String(count)} × ` : ''}${action} ${entity}`)
    .join(', ')
}

function requestOf(pattern: PatternDescription, measured: PatternMeasurement | undefined): string {
  if (measured === undefined || measured.operations.length === 0) return pattern.operation
  if (measured.operations.length > 1) return measured.operations.join(' + ')
  const [operation = pattern.operation] = measured.operations
  return measured.requests > 1 ? `${String(measured.requests)} × ${operation}` : operation
}

function placeOf({ description }: LoadedModel, { table, index }: PatternDescription): string {
  if (index !== undefined) return `on ${index}`
  const name = description.tables.find(({ id }) => id === table)?.name ?? table
  return description.tables.length > 1 ? `on ${name}` : 'on the table'
}

function unitsOf(measured: PatternMeasurement | undefined) {
  if (measured === undefined || measured.failure !== undefined) return <span className="muted">–</span>
  const { readUnits, writeUnits } = measured
  if (readUnits > 0 && writeUnits > 0) return `${formatUnits(readUnits)} R + ${formatUnits(writeUnits)} W`
  return writeUnits > 0 ? `${formatUnits(writeUnits)} W` : `${formatUnits(readUnits)} R`
}
