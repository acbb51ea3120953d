import { lazy, Suspense } from 'react'
import type { EditorProps } from './code-editor-loaded.tsx'
import { Skeleton } from '../messages/notices.tsx'
import './code-editor.css'

export type { EditorProblem } from './code-editor-loaded.tsx'

const Loaded = lazy(() => import('./code-editor-loaded.tsx'))

/** An editor for JSON, PartiQL and other text; with `isReadOnly`, a view of code. It is loaded when the first is shown. */
export function CodeEditor(props: EditorProps) {
  return (
    <div
      className={`code-editor ${props.isReadOnly === true ? 'is-read-only' : ''}`}
      style={{ minHeight: props.heightPx ?? 120 }}
    >
      <Suspense fallback={<Skeleton lines={4} />}>
        <Loaded {...props} />
      </Suspense>
    </div>
  )
}
