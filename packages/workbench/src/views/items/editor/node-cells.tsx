import { ChevronDown, ChevronRight, Plus } from '../../../icons/icons.generated.ts'
import { Button } from '../../../components/controls/button.tsx'
import { TextInput } from '../../../components/controls/field.tsx'
import { plural } from '../../../values/format.ts'
import { setMembers, type DraftNode } from './draft.ts'

/** Expands and collapses the contents of a value; only a space if it has none. */
export function NodeToggle({
  label,
  isOpen,
  onToggle,
}: {
  readonly label: string
  readonly isOpen: boolean | undefined
  readonly onToggle: () => void
}) {
  if (isOpen === undefined) return <span className="item-form-toggle" />
  return (
    <button
      type="button"
      className="item-form-toggle"
      aria-expanded={isOpen}
      aria-label={`${isOpen ? 'Close' : 'Open'} ${label}`}
      onClick={onToggle}
    >
      {isOpen ? <ChevronDown /> : <ChevronRight />}
    </button>
  )
}

/** The name of an attribute, or of an entry of a map. */
export function NodeName({
  name,
  label,
  isKey,
  isLocked,
  isFocused,
  onChange,
}: {
  readonly name: string
  readonly label: string
  readonly isKey: boolean
  readonly isLocked: boolean
  readonly isFocused: boolean
  readonly onChange: (name: string) => void
}) {
  if (isLocked) {
    return (
      <span className="item-form-key truncate" dir="auto" title={name.slice(0, 500)}>
        {name.slice(0, 300)}
        {isKey && <span className="item-form-badge">key</span>}
      </span>
    )
  }
  return (
    <TextInput
      value={name}
      dir="auto"
      aria-label={`Name of ${label}`}
      placeholder="name"
      spellCheck={false}
      autoFocus={isFocused}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** The size of a map, a list or a set, and a way to add to it. */
export function NodeCount({
  node,
  label,
  onAdd,
}: {
  readonly node: DraftNode
  readonly label: string
  readonly onAdd: (() => void) | undefined
}) {
  const isSet = setMembers[node.type] !== undefined
  return (
    <span className="item-form-count">
      {plural(node.children.length, isSet ? 'member' : 'entry', isSet ? 'members' : 'entries')}
      {onAdd !== undefined && (
        <Button tone="quiet" icon={<Plus />} aria-label={`Add to ${label}`} onClick={onAdd}>
          Add
        </Button>
      )}
    </span>
  )
}
