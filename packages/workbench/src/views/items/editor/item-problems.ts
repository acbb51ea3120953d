import { typeOf, type AttributeType, type Item } from '@hashrange/core'
import { schemaKeys, typeOfKey } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import type { EditorProblem } from '../../../components/code/code-editor.tsx'
import { checkItem, type ItemProblem } from '../write/check-item.ts'
import type { EditorResult, EditorState } from './editor-state.ts'

/** Everything that is wrong with an edited item: what the service would reject, and a key that differs from the
 *  loaded one. */
export function itemProblems(
  table: TableDescription,
  loaded: Item | undefined,
  item: Item,
): readonly ItemProblem[] {
  const problems: ItemProblem[] = [...checkItem(table, item)]
  for (const name of loaded === undefined ? [] : keyTypes(table).keys()) {
    const before = loaded?.[name]
    const after = Object.hasOwn(item, name) ? item[name] : undefined
    if (before === undefined || after === undefined) continue
    if (typeOf(before) === typeOf(after) && JSON.stringify(before) !== JSON.stringify(after)) {
      problems.push({ name, message: `You cannot change the key ${name} of an item. Duplicate the item instead.` })
    }
  }
  return problems
}

/** In the text: the place of a mistake, or the name of the attribute that a problem is about. */
export function problemsInText(
  state: EditorState,
  mistake: EditorResult['textProblem'],
  problems: readonly ItemProblem[],
): readonly EditorProblem[] {
  if (state.form === 'form') return []
  if (mistake !== undefined) return [{ start: mistake.start, end: mistake.end, message: mistake.message }]
  return problems.map(({ name, message }) => {
    const at = name === undefined ? -1 : state.text.indexOf(JSON.stringify(name))
    return { start: Math.max(0, at), end: at < 0 ? 1 : at + JSON.stringify(name).length, message }
  })
}

/** The key attributes of a table with their types. */
export function keyTypes(table: TableDescription): ReadonlyMap<string, AttributeType> {
  const { partition, sort } = schemaKeys(table.KeySchema)
  return new Map([...partition, ...sort].map((name) => [name, typeOfKey(table, name)]))
}
