import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionSource,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { sql } from '@codemirror/lang-sql'
import {
  bracketMatching,
  foldGutter,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { linter, lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, Prec, StateEffect, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { styleNonce } from '../style-nonce.ts'
import { typescriptText } from './typescript-text.ts'
import { replaceSelection } from './replace-selection.ts'

export interface EditorProblem {
  readonly start: number
  readonly end: number
  readonly message: string
  readonly severity?: 'error' | 'warning'
}

export interface EditorProps {
  /** What is edited, for those who cannot see it. */
  readonly label: string
  readonly value: string
  readonly onChange?: (value: string) => void
  readonly language?: 'json' | 'sql' | 'typescript' | 'text'
  readonly isReadOnly?: boolean
  /** What is wrong with the text; checked a moment after each change. */
  readonly check?: (text: string) => readonly EditorProblem[]
  /** The text is checked again whenever this changes, though the text has not. */
  readonly checkAgain?: string | number
  readonly complete?: CompletionSource
  /** Mod+Enter. */
  readonly onRun?: () => void
  readonly placeholder?: string
  readonly heightPx?: number
}

/** Tab leaves the editor unless the user has begun to edit with it: Escape, then Tab always leaves. */
export default function CodeEditorLoaded(props: EditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  const editable = useRef(new Compartment())

  useEffect(() => {
    if (host.current === null) return
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({ doc: latest.current.value, extensions: extensionsFor(latest, editable.current) }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [])

  useEffect(() => {
    const editor = view.current
    if (editor === undefined) return
    const text = editor.state.doc.toString()
    if (text !== props.value) editor.dispatch({ changes: { from: 0, to: text.length, insert: props.value } })
  }, [props.value])

  useEffect(() => {
    view.current?.dispatch({ effects: editable.current.reconfigure(readOnly(props.isReadOnly === true)) })
  }, [props.isReadOnly])

  useEffect(() => {
    view.current?.dispatch({ effects: recheck.of(null) })
  }, [props.checkAgain])

  return <div ref={host} className="code-editor-host" style={{ height: props.heightPx }} />
}

function extensionsFor(latest: { readonly current: EditorProps }, editable: Compartment): Extension[] {
  const { language = 'text', label, isReadOnly = false, complete, placeholder: text } = latest.current
  return [
    EditorView.cspNonce.of(styleNonce),
    Prec.highest(
      keymap.of([{ key: 'Mod-Enter', run: () => (latest.current.onRun?.(), latest.current.onRun !== undefined) }]),
    ),
    lineNumbers(),
    foldGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    replaceSelection,
    highlightSelectionMatches(),
    ...(isReadOnly ? [] : [highlightActiveLine()]),
    autocompletion(complete === undefined ? {} : { override: [complete] }),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...completionKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    languageOf(language),
    linter(
      (editor) =>
        (latest.current.check?.(editor.state.doc.toString()) ?? []).map(
          ({ start, end, message, severity = 'error' }) => ({
            from: Math.min(start, editor.state.doc.length),
            to: Math.min(Math.max(start, end), editor.state.doc.length),
            message,
            severity,
          }),
        ),
      {
        delay: 250,
        needsRefresh: ({ transactions }) =>
          transactions.some(({ effects }) => effects.some((effect) => effect.is(recheck))),
      },
    ),
    text === undefined ? [] : placeholder(text),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) latest.current.onChange?.(update.state.doc.toString())
    }),
    editable.of(readOnly(isReadOnly)),
    syntaxHighlighting(highlighting),
    theme,
  ]
}

function languageOf(language: NonNullable<EditorProps['language']>): Extension {
  switch (language) {
    case 'json':
      return json()
    case 'sql':
      return sql({ upperCaseKeywords: true })
    case 'typescript':
      return typescriptText
    case 'text':
      return []
  }
}

const recheck = StateEffect.define()

function readOnly(isReadOnly: boolean): Extension {
  return [EditorState.readOnly.of(isReadOnly)]
}

/** By the page's own colours, so that a change of theme needs nothing. */
const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent-text)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--type-s)' },
  { tag: tags.number, color: 'var(--type-n)' },
  { tag: [tags.bool, tags.null, tags.atom], color: 'var(--type-bool)' },
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--type-b)', fontWeight: '600' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--text-3)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.className], color: 'var(--type-m)' },
  { tag: tags.invalid, color: 'var(--danger-text)' },
])

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', backgroundColor: 'transparent', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-3)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--text) 4%, transparent)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 26%, transparent) !important',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--surface-3)', outline: '1px solid var(--border-strong)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--border)',
    borderRadius: '7px',
    boxShadow: 'var(--shadow-l)',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--accent-text)',
  },
  '.cm-diagnostic': { padding: '5px 9px', fontFamily: 'var(--font)', fontSize: '12px' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--danger)' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '.cm-panels': { backgroundColor: 'var(--surface-2)', color: 'var(--text)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--border)' },
  // The library's own panel to search and replace, in the shape of our controls.
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px',
    padding: '8px 36px 8px 10px',
    font: '12px var(--font)',
  },
  '.cm-panel.cm-search br': { content: '""', width: '100%' },
  '.cm-panel.cm-search .cm-textfield, .cm-panel.cm-search .cm-button': {
    height: '26px',
    margin: '0',
    padding: '0 9px',
    border: '1px solid var(--border-strong)',
    borderRadius: 'var(--radius-s)',
    background: 'var(--surface)',
    color: 'var(--text)',
    font: 'inherit',
  },
  '.cm-panel.cm-search .cm-textfield': { flex: '0 1 190px' },
  '.cm-panel.cm-search .cm-button:hover': { background: 'var(--surface-3)' },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '4px', font: 'inherit' },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0', accentColor: 'var(--accent)' },
  '.cm-panel.cm-search [name=close]': {
    top: '8px',
    right: '8px',
    width: '26px',
    height: '26px',
    color: 'var(--text-2)',
    fontSize: '18px',
    cursor: 'pointer',
  },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--surface-3)', border: 'none', color: 'var(--text-2)' },
})
