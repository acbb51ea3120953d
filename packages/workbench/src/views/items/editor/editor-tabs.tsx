import { useMemo } from 'react'
import type { TableDescription } from '../../../api-types.ts'
import { CodeEditor } from '../../../components/code/code-editor.tsx'
import { Tabs } from '../../../components/controls/tabs.tsx'
import { FormEditor } from './form-editor.tsx'
import { problemsInText } from './item-problems.ts'
import { Places } from './places.tsx'
import type { ItemEdit } from './use-item-edit.ts'

const textForms = [
  { value: 'dynamodb', label: 'DynamoDB JSON' },
  { value: 'plain', label: 'JSON' },
] as const

/** The forms of an item, of which one is edited, and where it lies. */
export function EditorTabs({
  table,
  edit,
  isReadOnly,
}: {
  readonly table: TableDescription
  readonly edit: ItemEdit
  readonly isReadOnly: boolean
}) {
  const { state, setState, result, problems, isNew } = edit
  const nameProblems = useMemo(
    () => new Map(problems.flatMap(({ name, message }) => (name === undefined ? [] : [[name, message]]))),
    [problems],
  )
  const editorPx = Math.max(220, window.innerHeight - 300)
  return (
    <Tabs
      label="View the item as"
      value={edit.tab}
      onChange={edit.show}
      tabs={[
        {
          value: 'form',
          label: 'Form',
          content: state.form === 'form' && (
            <FormEditor
              nodes={state.nodes}
              onChange={(nodes) => setState({ form: 'form', nodes })}
              problems={result.nodeProblems}
              nameProblems={nameProblems}
              keys={edit.keys}
              isKeyLocked={!isNew}
              isReadOnly={isReadOnly}
              isFresh={isNew}
            />
          ),
        },
        ...textForms.map(({ value, label }) => ({
          value,
          label,
          content: state.form === value && (
            <CodeEditor
              label={`Item as ${label}`}
              language="json"
              heightPx={editorPx}
              value={state.text}
              isReadOnly={isReadOnly}
              check={() => problemsInText(state, result.textProblem, problems)}
              onChange={(text) => setState({ ...state, text })}
            />
          ),
        })),
        { value: 'places', label: 'Places', content: <Places table={table} item={edit.item} /> },
      ]}
    />
  )
}
