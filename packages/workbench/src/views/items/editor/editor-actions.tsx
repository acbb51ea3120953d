import { Copy, Trash2 } from '../../../icons/icons.generated.ts'
import { Button } from '../../../components/controls/button.tsx'

export interface EditorActionsProps {
  readonly isNew: boolean
  readonly isReadOnly: boolean
  /** Then it is settled first. */
  readonly isInConflict: boolean
  readonly canSave: boolean
  readonly isSaving: boolean
  readonly onSave: () => void
  readonly onClose: () => void
  readonly onDelete: () => void
  readonly onDuplicate: () => void
}

/** What can be done with the item as a whole. */
export function EditorActions(props: EditorActionsProps) {
  const { isNew, isReadOnly } = props
  const canWrite = !isReadOnly && !props.isInConflict
  return (
    <>
      {!isNew && canWrite && (
        <>
          <Button tone="quiet" icon={<Trash2 />} onClick={props.onDelete}>
            Delete
          </Button>
          <Button tone="quiet" icon={<Copy />} onClick={props.onDuplicate}>
            Duplicate
          </Button>
        </>
      )}
      <span className="grow" />
      <Button onClick={props.onClose}>{isReadOnly ? 'Close' : 'Cancel'}</Button>
      {canWrite && (
        <Button tone="primary" disabled={!props.canSave} isBusy={props.isSaving} onClick={props.onSave}>
          {isNew ? 'Create item' : 'Save changes'}
        </Button>
      )}
    </>
  )
}
