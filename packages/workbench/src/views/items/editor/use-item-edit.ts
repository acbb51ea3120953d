import type { AttributeType, Item } from '@hashrange/core'
import { useEffect, useMemo, useState } from 'react'
import type { TableDescription } from '../../../api-types.ts'
import type { ItemProblem } from '../write/check-item.ts'
import { changesBetween } from '../write/save-item.ts'
import { editorState, readEditor, type EditorForm, type EditorResult, type EditorState } from './editor-state.ts'
import { itemProblems, keyTypes } from './item-problems.ts'

export type EditorTab = EditorForm | 'places'

/** An item while it is edited. */
export interface ItemEdit {
  /** As it is in the table; undefined if it is new. */
  readonly loaded: Item | undefined
  readonly isNew: boolean
  readonly keys: ReadonlyMap<string, AttributeType>
  readonly state: EditorState
  readonly setState: (state: EditorState) => void
  readonly result: EditorResult
  /** As it was last when it could be read. */
  readonly item: Item
  readonly problems: readonly ItemProblem[]
  /** How many attributes differ; nothing while it cannot be read. */
  readonly changes: number | undefined
  readonly isDirty: boolean
  readonly tab: EditorTab
  readonly show: (tab: EditorTab) => void
  /** The form that was requested while what is edited cannot be read. */
  readonly wanted: EditorForm | undefined
  /** Gives up what cannot be read, and shows another form. */
  readonly giveUp: (next: EditorForm) => void
  /** Goes on with an item that two have changed; `theirs` is in the table. */
  readonly resolve: (resolved: Item, theirs: Item | undefined) => void
}

/** `start` is what is edited at first, `loadedAtFirst` what is in the table. */
export function useItemEdit(table: TableDescription, loadedAtFirst: Item | undefined, start: Item): ItemEdit {
  const keys = useMemo(() => keyTypes(table), [table])
  const stateOf = (form: EditorForm, item: Item): EditorState => editorState(form, item, [...keys.keys()])
  const [loaded, setLoaded] = useState(loadedAtFirst)
  const [state, setState] = useState<EditorState>(() => stateOf('form', start))
  const [tab, setTab] = useState<EditorTab>('form')
  const [wanted, setWanted] = useState<EditorForm | undefined>()
  const [lastGood, setLastGood] = useState(start)
  const result = useMemo(() => readEditor(state), [state])
  useEffect(() => {
    if (result.item !== undefined) setLastGood(result.item)
  }, [result])
  const problems = useMemo(
    () => (result.item === undefined ? [] : itemProblems(table, loaded, result.item)),
    [table, loaded, result],
  )
  const isNew = loaded === undefined
  const changes = result.item === undefined ? undefined : changesBetween(loaded ?? {}, result.item).length
  const isDirty = changes === undefined || (isNew ? result.item !== start && changes > 0 : changes > 0)

  const show = (next: EditorTab): void => {
    if (next === tab) return
    // What cannot be read cannot be shown in another form: it is put right, or given up, first.
    const isUnreadable = next !== 'places' && next !== state.form && result.item === undefined
    setWanted(isUnreadable ? next : undefined)
    if (isUnreadable) return setTab(state.form)
    if (next !== 'places' && next !== state.form && result.item !== undefined) setState(stateOf(next, result.item))
    setTab(next)
  }
  const giveUp = (next: EditorForm): void => {
    setState(stateOf(next, lastGood))
    setTab(next)
    setWanted(undefined)
  }
  const resolve = (resolved: Item, theirs: Item | undefined): void => {
    setLoaded(theirs)
    setState(stateOf(state.form, resolved))
  }
  return {
    loaded,
    isNew,
    keys,
    state,
    setState,
    result,
    item: result.item ?? lastGood,
    problems,
    changes,
    isDirty,
    tab,
    show,
    wanted,
    giveUp,
    resolve,
  }
}
