import type { Item } from '@hashrange/core'
import { ArrowUpRight } from '../../../icons/icons.generated.ts'
import { Link } from 'wouter'
import { keyNames, keysOfSource, sourcesOf } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { ValueCell } from '../../../components/values/value-cell.tsx'
import { useLink } from '../../../state/links.ts'
import { baseKey, keyText, pick } from '../keys/keys.ts'
import { queryLink } from '../keys/query-link.ts'

/** Where an item appears: its key in the table and in each index, with the way there. */
export function Places({ table, item }: { readonly table: TableDescription; readonly item: Item }) {
  const link = useLink()
  const key = keyText(baseKey(table, item))
  return (
    <div className="places">
      <p className="muted">
        An item is in the table, and in each index whose key attributes it has. Follow it there to see its
        neighbours.
      </p>
      <table className="places-table">
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Partition key</th>
            <th scope="col">Sort key</th>
            <th scope="col">
              <span className="visually-hidden">Go there</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sourcesOf(table).map(({ indexName, kind }) => {
            const keys = keysOfSource(table, indexName)
            const isHere = pick(item, keyNames(keys)) !== undefined
            return (
              <tr key={indexName ?? ''}>
                <th scope="row">
                  {indexName ?? 'Table'} {kind === 'local' && <span className="muted">local</span>}
                </th>
                {isHere ? (
                  <>
                    <td>
                      <Values item={item} names={keys.partition} />
                    </td>
                    <td>
                      <Values item={item} names={keys.sort} />
                    </td>
                    <td>
                      <div className="places-links">
                        <Link href={link('collections', table.TableName, { item: key, source: indexName ?? '' })}>
                          Neighbours <ArrowUpRight aria-hidden />
                        </Link>
                        <Link href={queryLink(link, table, indexName, item)}>
                          Query <ArrowUpRight aria-hidden />
                        </Link>
                      </div>
                    </td>
                  </>
                ) : (
                  <td colSpan={3} className="muted">
                    Not in this index: it has no{' '}
                    {keyNames(keys)
                      .filter((name) => pick(item, [name]) === undefined)
                      .join(' and no ')}
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Values({ item, names }: { readonly item: Item; readonly names: readonly string[] }) {
  return names.map((name) => {
    const value = pick(item, [name])?.[name]
    return (
      <span key={name} className="places-value">
        <span className="muted">{name}</span> {value !== undefined && <ValueCell value={value} />}
      </span>
    )
  })
}
