import { typeOfKey, type SourceKeys } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { TypeTag } from '../../../components/values/value-cell.tsx'

/** The key of a table or an index: its attributes in their order, with what they are for and their types. */
export function KeyLine({ table, keys }: { readonly table: TableDescription; readonly keys: SourceKeys }) {
  const { partition, sort } = keys
  return (
    <span className="key-line">
      {[
        ...partition.map((name) => ['partition', name] as const),
        ...sort.map((name) => ['sort', name] as const),
      ].map(([role, name]) => (
        <span key={name} className="key-part">
          <small>{role}</small>
          {name} <TypeTag type={typeOfKey(table, name)} />
        </span>
      ))}
    </span>
  )
}
