import type { TableDescription } from '../../../api-types.ts'
import { CopyButton } from '../../../components/messages/copy-button.tsx'
import { Tooltip } from '../../../components/controls/tooltip.tsx'
import { TypeTag } from '../../../components/values/value-cell.tsx'
import type { ServiceRequest } from '../../../codegen/service-request.ts'
import { membersOf } from '../../../codegen/service-request.ts'
import { cutAtPlaceholders, legendOf, type LegendEntry } from '../draft/legend.ts'
import './request-pane.css'

const expressionNames: Readonly<Record<string, string>> = {
  KeyConditionExpression: 'Key condition',
  FilterExpression: 'Filter',
  ProjectionExpression: 'Projection',
}

/** The request as it is sent, with what its placeholders stand for. */
export function RequestPane({
  requests,
  table,
}: {
  readonly requests: readonly ServiceRequest[]
  readonly table: TableDescription | undefined
}) {
  const [request] = requests
  if (request === undefined) return null
  const legend = legendOf(request, table)
  const json = JSON.stringify(Object.fromEntries(membersOf(request.input)), undefined, 2)
  const expressions = Object.entries(expressionNames).flatMap(([name, title]) => {
    const text = request.input[name as keyof typeof request.input]
    return typeof text === 'string' ? [{ name, title, text }] : []
  })
  return (
    <div className="request">
      {expressions.length > 0 && (
        <dl className="request-expressions">
          {expressions.map(({ name, title, text }) => (
            <div key={name}>
              <dt>{title}</dt>
              <dd>
                <Expression text={text} legend={legend} />
                <CopyButton label={`Copy ${name}`} text={text} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {legend.length > 0 && <Legend legend={legend} />}
      <section>
        <header className="request-head">
          <h2 className="query-heading">
            {request.operation}
            {requests.length > 1 && (
              <span className="muted"> · the first of {requests.length}, one for each shard</span>
            )}
          </h2>
          <CopyButton label="Copy request" text={json} />
        </header>
        <pre className="code-block" aria-label="Request" tabIndex={0}>
          {json}
        </pre>
      </section>
    </div>
  )
}

function Expression({ text, legend }: { readonly text: string; readonly legend: readonly LegendEntry[] }) {
  return (
    <code className="expression">
      {cutAtPlaceholders(text).map((part, position) => {
        if (position % 2 === 0) return <span key={position}>{part}</span>
        const entry = legend.find(({ placeholder }) => placeholder === part)
        return (
          <Tooltip
            key={position}
            text={
              entry === undefined
                ? part
                : `${entry.text.slice(0, 160)}${entry.type === undefined ? '' : ` (${entry.type})`}`
            }
          >
            <span className={part.startsWith('#') ? 'placeholder-name' : 'placeholder-value'} tabIndex={0}>
              {part}
            </span>
          </Tooltip>
        )
      })}
    </code>
  )
}

function Legend({ legend }: { readonly legend: readonly LegendEntry[] }) {
  return (
    <table className="legend">
      <caption className="visually-hidden">Meaning of the placeholders</caption>
      <thead>
        <tr>
          <th scope="col">Placeholder</th>
          <th scope="col">Stands for</th>
          <th scope="col">Used in</th>
        </tr>
      </thead>
      <tbody>
        {legend.map(({ placeholder, text, type, role }) => (
          <tr key={placeholder}>
            <td>
              <code className={placeholder.startsWith('#') ? 'placeholder-name' : 'placeholder-value'}>
                {placeholder}
              </code>
            </td>
            <td className="legend-text" dir="auto">
              {type === undefined ? (
                <span className="muted">attribute </span>
              ) : (
                <>
                  <TypeTag type={type} />{' '}
                </>
              )}
              <span className="mono">{text}</span>
            </td>
            <td className="muted">{role}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
