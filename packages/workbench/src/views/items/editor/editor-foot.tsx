import type { TableDescription } from '../../../api-types.ts'
import { Button } from '../../../components/controls/button.tsx'
import { ErrorBox, Notice } from '../../../components/messages/notices.tsx'
import { CostBar } from './cost-bar.tsx'
import type { EditorForm } from './editor-state.ts'
import type { ItemEdit } from './use-item-edit.ts'

const formNames: Readonly<Record<EditorForm, string>> = {
  form: 'a form',
  dynamodb: 'DynamoDB JSON',
  plain: 'JSON',
}

/** What keeps an item from being saved or shown, and what it costs. */
export function EditorFoot({
  table,
  edit,
  saveError,
}: {
  readonly table: TableDescription
  readonly edit: ItemEdit
  readonly saveError: unknown
}) {
  const { result, wanted, tab } = edit
  // The form shows the problems of an attribute beside it.
  const general = edit.problems.filter(({ name }) => name === undefined || tab !== 'form')
  return (
    <div className="item-drawer-foot">
      {wanted !== undefined && result.item === undefined && (
        <Notice
          tone="warning"
          title={`Fix this first to view it as ${formNames[wanted]}`}
          actions={<Button onClick={() => edit.giveUp(wanted)}>Discard invalid edits</Button>}
        >
          {result.textProblem?.message ?? result.nodeProblems[0]?.message}
        </Notice>
      )}
      {saveError !== undefined && <ErrorBox error={saveError} />}
      {result.textProblem !== undefined && wanted === undefined && (
        <p className="item-form-problem" role="alert">
          {result.textProblem.message}
        </p>
      )}
      {general.map(({ name, message }) => (
        <p key={`${name ?? ''} ${message}`} className="item-form-problem" role="alert">
          {message}
        </p>
      ))}
      <CostBar table={table} loaded={edit.loaded} item={edit.item} />
    </div>
  )
}
