import { Plus, Rows3, Upload } from '../../icons/icons.generated.ts'
import { keyNames, keysOfSource } from '../../api/table-facts.ts'
import type { TableDescription } from '../../api-types.ts'
import { Button } from '../../components/controls/button.tsx'
import { EmptyState } from '../../components/messages/notices.tsx'

/** What stands in the grid's place: why there is nothing, and what to do about it. */
export function NothingHere({
  table,
  isFound,
  isPrefix,
  indexName,
  canWrite,
  partition,
  onCreate,
  onImport,
  onPrefix,
  onClear,
}: {
  readonly table: TableDescription
  readonly isFound: boolean
  readonly isPrefix: boolean
  readonly indexName: string | undefined
  readonly canWrite: boolean
  readonly partition: readonly string[]
  readonly onCreate: () => void
  readonly onImport: () => void
  readonly onPrefix: () => void
  readonly onClear: () => void
}) {
  const keys = keysOfSource(table, indexName)
  if (isFound) {
    const typed = partition.find((value) => value !== '')
    return (
      <EmptyState
        icon={<Rows3 />}
        title="Nothing found"
        actions={
          <>
            <Button onClick={onClear}>Show all items</Button>
            {typed !== undefined && !isPrefix && (
              <Button onClick={onPrefix}>Scan for partition keys that begin with this</Button>
            )}
          </>
        }
      >
        {typed !== undefined && !isPrefix
          ? 'A Query needs the full partition key, because DynamoDB finds a partition by its hash. To search by the beginning of a key, everything has to be read.'
          : 'No item matches the filter.'}
      </EmptyState>
    )
  }
  if (indexName !== undefined) {
    return (
      <EmptyState icon={<Rows3 />} title="No item is in this index">
        An item is in this index if it has {keyNames(keys).join(' and ')}.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<Rows3 />}
      title="The table is empty"
      actions={
        canWrite && (
          <>
            <Button tone="primary" icon={<Plus />} onClick={onCreate}>
              New item
            </Button>
            <Button icon={<Upload />} onClick={onImport}>
              Import CSV or JSON
            </Button>
          </>
        )
      }
    >
      Every item has {keyNames(keys).join(' and ')}; its other attributes are up to you. Put the first one here, or
      from your program.
    </EmptyState>
  )
}
