import { useRef, useState } from 'react'
import type { ModelSource } from '../../../answers/models.ts'

/** A model file while it is edited. */
export interface ModelDraft {
  /** What was begun with. Somebody may save the file in an editor meanwhile. */
  readonly base: ModelSource
  readonly text: string
  /** The texts before the edits of the forms; the text editor has a memory of its own. */
  readonly past: readonly string[]
  /** The digest of the text that was saved over. What is known of the file is still that text for a moment. */
  readonly replaced: string | undefined
}

/** What is not saved outlives the tab: another tab or view, or a server that is away for a moment, does not lose it. */
const kept = new Map<string, ModelDraft>()

export function useKeptDraft(
  file: string,
  source: ModelSource,
): readonly [ModelDraft, (changes: Partial<ModelDraft>) => void] {
  const [draft, setDraft] = useState(
    () => kept.get(file) ?? { base: source, text: source.text, past: [], replaced: undefined },
  )
  const latest = useRef(draft)
  const change = (changes: Partial<ModelDraft>): void => {
    const next = { ...latest.current, ...changes }
    latest.current = next
    if (next.text === next.base.text) kept.delete(file)
    else kept.set(file, next)
    setDraft(next)
  }
  return [draft, change]
}
