import { Filter, Waves } from '../../icons/icons.generated.ts'
import type { TableDescription } from '../../api-types.ts'
import { Button } from '../../components/controls/button.tsx'
import { EmptyState, Skeleton } from '../../components/messages/notices.tsx'
import { plural } from '../../values/format.ts'
import type { Tail } from './use-tail.ts'

export interface NoRecordsProps {
  readonly tail: Tail
  readonly isPaused: boolean
  readonly table: TableDescription
  readonly onShowOldest: () => void
  readonly onShowAll: () => void
}

/** Where no record is shown: because none has come, or because none fits. */
export function NoRecords({ tail, isPaused, table, onShowOldest, onShowAll }: NoRecordsProps) {
  if (!tail.hasRead && !isPaused)
    return (
      <div className="stream-empty">
        <Skeleton lines={6} />
      </div>
    )
  if (tail.records.length > 0) {
    return (
      <div className="stream-empty">
        <EmptyState
          icon={<Filter />}
          title="No record matches"
          actions={<Button onClick={onShowAll}>Show all</Button>}
        >
          None of the {plural(tail.records.length, 'record')} received matches the filter.
        </EmptyState>
      </div>
    )
  }
  return (
    <div className="stream-empty">
      <EmptyState
        icon={<Waves />}
        title={isPaused ? 'Paused' : 'Waiting for changes'}
        actions={<Button onClick={onShowOldest}>Show the last 24 hours</Button>}
      >
        Every put, update and delete in {table.TableName} is shown here within a second, with the item before and
        after. A write that changes nothing creates no record.
        <pre>{`aws dynamodb put-item --endpoint-url ${window.location.origin} \\
  --table-name ${table.TableName} --item '${exampleItem(table)}'`}</pre>
      </EmptyState>
    </div>
  )
}

function exampleItem({ KeySchema, AttributeDefinitions }: TableDescription): string {
  const values = { S: { S: 'example' }, N: { N: '1' }, B: { B: 'ZXhhbXBsZQ==' } } as const
  return JSON.stringify(
    Object.fromEntries(
      KeySchema.map(({ AttributeName }) => {
        const type = AttributeDefinitions.find((one) => one.AttributeName === AttributeName)?.AttributeType ?? 'S'
        return [AttributeName, values[type]]
      }),
    ),
  )
}
