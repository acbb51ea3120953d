import { Select, TextInput } from '../../../components/controls/field.tsx'
import type { DraftNode } from './draft.ts'
import { TextBox } from './text-box.tsx'

/** A value that contains no others. */
export function NodeLeaf({
  node,
  label,
  isLocked,
  isInvalid,
  isFocused,
  set,
}: {
  readonly node: DraftNode
  readonly label: string
  readonly isLocked: boolean
  readonly isInvalid: boolean
  readonly isFocused: boolean
  readonly set: (changes: Partial<DraftNode>) => void
}) {
  if (node.type === 'NULL') return <span className="muted">null</span>
  if (node.type === 'BOOL') {
    return (
      <Select
        aria-label={label}
        value={String(node.isTrue)}
        options={['true', 'false']}
        disabled={isLocked}
        onChange={(value) => set({ isTrue: value === 'true' })}
      />
    )
  }
  if (node.type === 'N') {
    return (
      <TextInput
        className="number"
        inputMode="decimal"
        aria-label={label}
        aria-invalid={isInvalid || undefined}
        value={node.text}
        disabled={isLocked}
        autoFocus={isFocused}
        spellCheck={false}
        onChange={(event) => set({ text: event.target.value })}
      />
    )
  }
  return (
    <TextBox
      label={label}
      text={node.text}
      isMono={node.type === 'B'}
      isLocked={isLocked}
      isInvalid={isInvalid}
      isFocused={isFocused}
      placeholder={node.type === 'B' ? 'base64' : undefined}
      onChange={(text) => set({ text })}
    />
  )
}
