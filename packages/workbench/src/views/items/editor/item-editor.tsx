import type { Item } from '@hashrange/core'
import type { KeyboardEvent } from 'react'
import { useInfo } from '../../../api/queries.ts'
import type { TableDescription } from '../../../api-types.ts'
import { confirm } from '../../../components/dialogs/confirm.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { EntityChip } from '../../../components/values/badge.tsx'
import { keyTitle } from '../keys/keys.ts'
import { Conflict } from './conflict.tsx'
import { EditorActions } from './editor-actions.tsx'
import { EditorFoot } from './editor-foot.tsx'
import { EditorTabs } from './editor-tabs.tsx'
import { useItemEdit } from './use-item-edit.ts'
import { useItemWrites } from './use-item-writes.ts'

export interface ItemEditorProps {
  readonly table: TableDescription
  /** The key of an item that exists, or what a new one begins with. */
  readonly target: { readonly kind: 'edit'; readonly key: Item } | { readonly kind: 'new'; readonly item: Item }
  readonly loaded: Item | undefined
  readonly start: Item
  readonly entityName: (item: Item) => string | undefined
  readonly onClose: () => void
  /** After something was written. */
  readonly onChanged: () => void
  readonly onDuplicate: (item: Item) => void
}

/** An item that was loaded, or a new one, in each of its forms. */
export function ItemEditor(props: ItemEditorProps) {
  const { table, target, entityName, onClose, onDuplicate } = props
  const isReadOnly = useInfo()?.readOnly ?? false
  const edit = useItemEdit(table, props.loaded, props.start)
  const writes = useItemWrites(table, edit.loaded, props)
  const { conflict } = writes
  const edited = edit.result.item
  const canSave =
    !isReadOnly && edited !== undefined && edit.problems.length === 0 && edit.isDirty && conflict === undefined
  const save = (): void => {
    if (edited !== undefined) void writes.save(edited)
  }
  const close = async (): Promise<void> => {
    // Of a new item the key alone is no loss.
    const isBarelyBegun = edit.isNew && edit.changes !== undefined && edit.changes <= edit.keys.size
    if (!edit.isDirty || isReadOnly || isBarelyBegun || (await confirmDiscard())) onClose()
  }
  const press = (event: KeyboardEvent): void => {
    const isSave = (event.ctrlKey || event.metaKey) && (event.key === 's' || event.key === 'Enter')
    if (!isSave) return
    event.preventDefault()
    if (canSave) save()
  }
  const entity = entityName(edit.item)
  return (
    <Dialog
      isOpen
      onClose={() => void close()}
      title={target.kind === 'new' ? 'New item' : keyTitle(target.key)}
      description={
        <span className="row">
          {entity !== undefined && <EntityChip name={entity} />}
          <span>{table.TableName}</span>
        </span>
      }
      shape="drawer"
      actions={
        <EditorActions
          isNew={edit.isNew}
          isReadOnly={isReadOnly}
          isInConflict={conflict !== undefined}
          canSave={canSave}
          isSaving={writes.isSaving}
          onSave={save}
          onClose={() => void close()}
          onDelete={() => void writes.remove()}
          onDuplicate={() => onDuplicate(edit.item)}
        />
      }
    >
      {conflict !== undefined ? (
        <Conflict
          base={edit.loaded ?? {}}
          theirs={conflict.theirs}
          mine={conflict.mine}
          isNew={edit.isNew}
          onBack={writes.settle}
          onResolve={(resolved, theirs) => {
            edit.resolve(resolved, theirs)
            writes.settle()
          }}
        />
      ) : (
        <div className="item-drawer" onKeyDown={press}>
          <EditorTabs table={table} edit={edit} isReadOnly={isReadOnly} />
          <EditorFoot table={table} edit={edit} saveError={writes.error} />
        </div>
      )}
    </Dialog>
  )
}

function confirmDiscard(): Promise<boolean> {
  return confirm({
    title: 'Discard your changes?',
    body: 'Your changes have not been saved.',
    action: 'Discard',
    tone: 'danger',
  })
}
