import type { Source, SourceKeys } from '../../api/table-facts.ts'
import type { TableDescription } from '../../api-types.ts'
import { Select } from '../../components/controls/field.tsx'
import { ColumnChooser } from './columns/column-chooser.tsx'
import type { SeenAttributes } from './columns/columns.ts'
import { FindBar } from './find/find-bar.tsx'
import { noTexts, type ItemsUrl } from './items-url.ts'
import type { ItemColumns } from './columns/use-item-columns.ts'

export interface ItemsToolbarProps {
  readonly table: TableDescription
  readonly sources: readonly Source[]
  readonly indexName: string | undefined
  readonly keys: SourceKeys
  readonly entityNames: readonly string[]
  readonly url: ItemsUrl
  readonly mistake: string | undefined
  readonly seen: SeenAttributes
  readonly columns: ItemColumns
  readonly onChange: (changes: Partial<ItemsUrl>) => void
  /** Before another source is shown. */
  readonly onSource: () => void
}

/** Which items are shown, and what of them. */
export function ItemsToolbar(props: ItemsToolbarProps) {
  const { table, sources, indexName, keys, entityNames, url, mistake, seen, columns, onChange, onSource } = props
  return (
    <>
      <Select
        className="items-source"
        aria-label="Table or index"
        value={indexName ?? ''}
        options={sources.map((entry) => ({
          value: entry.indexName ?? '',
          label: entry.indexName === undefined ? 'Table' : `Index ${entry.indexName}`,
        }))}
        onChange={(index) => {
          onSource()
          onChange({ index, pk: noTexts, sk: '', prefix: false })
        }}
      />
      <FindBar
        key={indexName ?? ''}
        table={table}
        keys={keys}
        value={{ partition: url.pk, sort: url.sk, isDescending: url.desc }}
        onChange={({ partition, sort, isDescending }) =>
          onChange({
            pk: partition.some((value) => value !== '') ? partition : noTexts,
            sk: sort,
            desc: isDescending,
            prefix: false,
          })
        }
        mistake={mistake}
      />
      {entityNames.length > 0 && (
        <Select
          className="items-entity"
          aria-label="Entity"
          value={url.entity}
          options={[
            { value: '', label: 'All entities' },
            ...new Set([...entityNames, ...(url.entity === '' ? [] : [url.entity])]),
          ]}
          onChange={(entity) => onChange({ entity })}
        />
      )}
      <ColumnChooser
        columns={columns.ordered}
        seen={seen}
        wishes={columns.wishes}
        onChange={columns.changeWishes}
      />
    </>
  )
}
