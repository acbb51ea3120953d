import { typeOfKey } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api/types.ts'
import { TypeTag } from '../../../components/value-cell.tsx'

/** The key of a table or an index: its attributes, with what they are for and their types. */
export function KeyLine({
  table,
  partitionKey,
  sortKey,
}: {
  readonly table: TableDescription
  readonly partitionKey: string
  readonly sortKey: string | undefined
}) {
  return (
    <span className="key-line">
      <span className="key-part">
        <small>partition</small>
        {partitionKey} <TypeTag type={typeOfKey(table, partitionKey)} />
      </span>
      {sortKey !== undefined && (
        <span className="key-part">
          <small>sort</small>
          {sortKey} <TypeTag type={typeOfKey(table, sortKey)} />
        </span>
      )}
    </span>
  )
}
