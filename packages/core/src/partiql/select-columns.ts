import { validationException } from '../errors.ts'
import { readPath } from '../expressions/read-path.ts'
import type { Path } from '../expressions/syntax.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { setAttribute } from '../values/attribute-value.ts'
import { refusedAt } from './statement-errors.ts'
import { statementPath } from './statement-path.ts'
import type { Expression, Select } from './syntax.ts'

/** One column of a SELECT: what lies at the path is shown under the name. */
export interface SelectedColumn {
  readonly name: string
  readonly path: Path
}

/** The columns of a SELECT; none for `*`, which shows items as they are. */
export function selectColumns({ columns }: Select): readonly SelectedColumn[] | undefined {
  const selected: SelectedColumn[] = []
  const names = new Set<string>()
  for (const { expression } of columns) {
    if (expression.kind === 'star') {
      if (columns.length === 1) return undefined
      throw validationException("Other attributes should not be present in the projection when '*' is used.")
    }
    const column = columnOf(expression)
    if (names.has(column.name)) {
      throw validationException(`Duplicate identifiers in select clause: ${column.name}`)
    }
    names.add(column.name)
    selected.push(column)
  }
  return selected
}

/** What columns show of an item. What it lacks is left out. */
export function showColumns(columns: readonly SelectedColumn[], item: Item): Item {
  const shown: Record<string, AttributeValue> = {}
  for (const { name, path } of columns) {
    const value = readPath(path, item)
    if (value !== undefined) setAttribute(shown, name, value)
  }
  return shown
}

function columnOf(expression: Expression): SelectedColumn {
  if (expression.kind === 'path') {
    const path = statementPath(expression)
    return { name: columnName(path), path }
  }
  if ('at' in expression) throw refusedAt('Unexpected path component', expression.at)
  throw validationException('Unexpected path component')
}

/** The last name of the path, with the indexes that follow it: `m.k[0]` is shown as `k[0]`. */
function columnName(path: Path): string {
  let name = ''
  for (const segment of path) name = segment.kind === 'name' ? segment.name : `${name}[${segment.index}]`
  return name
}
