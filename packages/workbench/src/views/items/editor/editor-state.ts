import type { Item } from '@hashrange/core'
import { fromDynamoDbJson, fromPlainJson, toDynamoDbJson, toPlainJson } from '../../../values/item-json.ts'
import { TextMistake } from '../../../values/json-text.ts'
import { draftOf, itemOfDraft, type DraftNode, type DraftProblem } from './draft.ts'

/** The three forms in which an item is edited. One of them is being edited; the others are derived from it when they
 *  are shown. */
export type EditorForm = 'form' | 'dynamodb' | 'plain'

export type EditorState =
  | { readonly form: 'form'; readonly nodes: readonly DraftNode[] }
  | { readonly form: 'dynamodb'; readonly text: string }
  /** `guide` is the item as it was when it was made plain: it says which lists are sets, and which strings binary. */
  | { readonly form: 'plain'; readonly text: string; readonly guide: Item }

export interface EditorResult {
  /** Nothing while it cannot be read. */
  readonly item: Item | undefined
  readonly nodeProblems: readonly DraftProblem[]
  readonly textProblem: TextMistake | undefined
}

/** `keys` come first in the form. */
export function editorState(form: EditorForm, item: Item, keys: readonly string[] = []): EditorState {
  switch (form) {
    case 'form':
      return { form, nodes: draftOf(item, keys) }
    case 'dynamodb':
      return { form, text: toDynamoDbJson(item) }
    case 'plain':
      return { form, text: toPlainJson(item), guide: item }
  }
}

export function readEditor(state: EditorState): EditorResult {
  if (state.form === 'form') {
    const { item, problems } = itemOfDraft(state.nodes)
    return { item: problems.length === 0 ? item : undefined, nodeProblems: problems, textProblem: undefined }
  }
  try {
    const item = state.form === 'dynamodb' ? fromDynamoDbJson(state.text) : fromPlainJson(state.text, state.guide)
    return { item, nodeProblems: [], textProblem: undefined }
  } catch (error) {
    if (!(error instanceof TextMistake)) throw error
    return { item: undefined, nodeProblems: [], textProblem: error }
  }
}
