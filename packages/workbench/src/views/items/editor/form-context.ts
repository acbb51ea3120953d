import type { AttributeType } from '@hashrange/core'
import type { DraftNode, DraftProblem } from './draft.ts'

export interface FormEditorProps {
  readonly nodes: readonly DraftNode[]
  readonly onChange: (nodes: readonly DraftNode[]) => void
  readonly problems: readonly DraftProblem[]
  /** What is wrong with an attribute as a whole, by its name. */
  readonly nameProblems: ReadonlyMap<string, string>
  /** The key attributes with their types: they cannot be renamed or removed. */
  readonly keys: ReadonlyMap<string, AttributeType>
  /** The key of an item that exists cannot be changed. */
  readonly isKeyLocked: boolean
  readonly isReadOnly: boolean
  /** Whether it starts empty: a missing value is reported once the field was left, not before. */
  readonly isFresh: boolean
}

/** What every row of the form has to do with. */
export interface FormContext extends FormEditorProps {
  /** What was added here: it is shown however much there is, and takes the focus. */
  readonly addedIds: Set<number>
}

/** Changes a node, or removes it. */
export type Change = (id: number, make: (node: DraftNode) => DraftNode | undefined) => void

/** What a row is a part of. */
export type NodeKind = 'attributes' | 'entries' | 'elements' | 'members'
