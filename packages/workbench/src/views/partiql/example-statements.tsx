import { Terminal } from '../../icons/icons.generated.ts'
import type { TableDescription } from '../../api-types.ts'
import { EmptyState } from '../../components/messages/notices.tsx'
import { keyShapeOf } from '../query/draft/key-schema.ts'
import { nameText } from './complete-partiql.ts'

export interface ExampleStatementsProps {
  readonly table: TableDescription | undefined
  readonly onPick: (statement: string) => void
}

/** Examples to begin with, before anything was run. */
export function ExampleStatements({ table, onPick }: ExampleStatementsProps) {
  const key = table === undefined ? undefined : keyShapeOf(table, '')
  const hash = nameText(key?.partition[0]?.name ?? 'pk')
  const range = key?.sort[0] === undefined ? undefined : nameText(key.sort[0].name)
  const name = `"${table?.TableName ?? 'table'}"`
  const examples = [
    `SELECT * FROM ${name} WHERE ${hash} = ?`,
    ...(range === undefined ? [] : [`SELECT * FROM ${name} WHERE ${hash} = ? AND begins_with(${range}, ?)`]),
    `UPDATE ${name} SET note = ? WHERE ${hash} = ?${range === undefined ? '' : ` AND ${range} = ?`}`,
  ]
  return (
    <EmptyState icon={<Terminal />} title="SQL for a key-value table">
      PartiQL looks like SQL, but costs like DynamoDB: with the partition key in WHERE it is a Query, without it a
      Scan of everything. Several statements are separated by semicolons; values can be given as <code>?</code>.
      <ul className="partiql-examples">
        {examples.map((example) => (
          <li key={example}>
            <button type="button" className="partiql-example" onClick={() => onPick(example)}>
              {example}
            </button>
          </li>
        ))}
      </ul>
    </EmptyState>
  )
}
