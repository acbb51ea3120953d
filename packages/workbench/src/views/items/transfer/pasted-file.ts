import { keyNames, schemaKeys } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { csvLine } from '../../../values/csv-cells.ts'
import { CsvSplitter } from './split-records.ts'

/** What was pasted, as a file that can be imported: JSON as it is, cells of a spreadsheet as CSV. Without a first row that names the key,
 *  the cells are those of the columns that are shown. */
export function pastedFile(text: string, table: TableDescription, columns: readonly string[]): File | undefined {
  const trimmed = text.trimStart()
  if (trimmed === '') return undefined
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) return new File([text], 'pasted rows.json')
  const firstLine = text.slice(0, (text.indexOf('\n') + 1 || text.length + 1) - 1)
  const splitter = new CsvSplitter(firstLine.includes('\t') ? '\t' : ',')
  const rows = [...splitter.push(text), ...splitter.end()].map(({ content }) => content)
  const [first] = rows
  if (first === undefined) return undefined
  const hasHeader = keyNames(schemaKeys(table.KeySchema)).every((name) =>
    first.some((cell) => cell.trim() === name),
  )
  const widest = Math.max(...rows.map(({ length }) => length))
  const lines = hasHeader ? rows : [columns.slice(0, widest), ...rows]
  return new File([lines.map(csvLine).join('')], 'pasted rows.csv')
}
