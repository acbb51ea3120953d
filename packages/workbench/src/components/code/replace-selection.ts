import { EditorSelection, type Extension, type TransactionSpec } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** Replaces the selection when something is typed over it. By default, Chromium puts what is typed into an element
 *  with its own style, to look like what it replaces, and the content security policy rejects that style. */
export const replaceSelection: Extension = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { main, ranges } = view.state.selection
    const text = event.data
    if (event.inputType !== 'insertText' || text === null || event.isComposing || view.state.readOnly) return false
    if (main.empty || ranges.length > 1) return false
    const insert = (): TransactionSpec => ({
      changes: { from: main.from, to: main.to, insert: text },
      selection: EditorSelection.cursor(main.from + text.length),
      scrollIntoView: true,
      userEvent: 'input.type',
    })
    // What else looks at what is typed comes first: a bracket, say, is put around what is selected.
    const handlers = view.state.facet(EditorView.inputHandler)
    const isHandled = handlers.some((handle) =>
      handle(view, main.from, main.to, text, () => view.state.update(insert())),
    )
    if (!isHandled) view.dispatch(insert())
    event.preventDefault()
    return true
  },
})
