import type { TableDescription } from '../../../api-types.ts'
import type { CodeRequest } from '../../../codegen/service-request.ts'
import { OwnDecisions } from '../../../components/access/own-decisions.tsx'
import { Simulator } from './simulator.tsx'
import './access.css'

/** Whether the query is allowed and by which statement; and what would be decided for others. */
export default function AccessPane({
  requests,
  table,
  index,
}: {
  readonly requests: readonly CodeRequest[]
  readonly table: TableDescription
  readonly index: string
}) {
  const [request] = requests
  return (
    <div className="access-pane">
      <section className="stack">
        <h2 className="access-title">Your access</h2>
        {request === undefined ? (
          <p className="muted">Fill in what is missing on the left to see which policy decides.</p>
        ) : (
          <OwnDecisions asked={request} />
        )}
      </section>
      <Simulator request={request} resource={index === '' ? table.TableArn : `${table.TableArn}/index/${index}`} />
    </div>
  )
}
