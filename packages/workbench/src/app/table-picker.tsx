import { Table2 } from '../icons/icons.generated.ts'
import { useTableNames } from '../api/queries.ts'
import { Picker } from '../components/controls/picker.tsx'
import { useGo } from '../state/links.ts'
import type { View } from '../views/views.tsx'

/** Changes the table that the view shows. */
export function TablePicker({
  table,
  view,
}: {
  readonly table: string | undefined
  readonly view: View | undefined
}) {
  const { data, error } = useTableNames()
  const names = data ?? []
  const go = useGo()
  const target = view?.isOfTable === true ? view.path : 'tables'
  return (
    <Picker
      label="Table"
      placeholder="Find a table"
      icon={<Table2 aria-hidden />}
      empty={
        error !== null
          ? 'The tables cannot be listed. Open one by its name in Tables.'
          : names.length === 0
            ? 'There are no tables in this scope.'
            : 'No table has that name.'
      }
      entries={names.map((name) => ({
        id: name,
        label: name,
        isChosen: name === table,
        onSelect: () => go(target, name),
      }))}
      value={table ?? 'Choose a table'}
      isEmpty={table === undefined}
    />
  )
}
