import { Save, Undo2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ModelFileError, ModelSource } from '../../../answers/models.ts'
import { useInfo } from '../../../api/queries.ts'
import { CodeEditor, type EditorProblem } from '../../../components/code/code-editor.tsx'
import { Button } from '../../../components/controls/button.tsx'
import { ErrorBox, Notice, Waiting } from '../../../components/messages/notices.tsx'
import { tell } from '../../../components/messages/toast.tsx'
import { useAttempt } from '../../../components/messages/use-attempt.ts'
import type { ModelTabProps } from '../patterns-tab.tsx'
import { ChangePanel } from './change-panel.tsx'
import { compareModels } from './compare-models.ts'
import { factsOf, useDraftFacts, useModelSource, writeModel } from './use-draft.ts'
import './file-tab.css'

/** The model file itself, and what a change of it does before it is saved. */
export default function FileTab(props: ModelTabProps) {
  const { data, error, refetch } = useModelSource(props.model)
  if (data === undefined) return <Waiting error={error} onRetry={refetch} lines={8} />
  return <FileDesk {...props} source={data} />
}

function FileDesk({ model, check, cost, source }: ModelTabProps & { readonly source: ModelSource }) {
  const mayEdit = useInfo()?.mayEditModels === true
  /** What was begun with, and what it is now. Somebody may save the file in an editor meanwhile. */
  const [base, setBase] = useState(source)
  const [text, setText] = useState(source.text)
  const isEdited = text !== base.text
  if (!isEdited && base.digest !== source.digest) {
    setBase(source)
    setText(source.text)
  }
  const draft = useDraftFacts(model, text, isEdited)
  const { attempt, isBusy, error } = useAttempt()
  const answer = isEdited ? draft.data : undefined
  const after = answer === undefined ? undefined : factsOf(answer)
  const change = useMemo(
    () =>
      after === undefined || check === undefined || cost === undefined
        ? undefined
        : compareModels({ check, cost }, after),
    [check, cost, after],
  )
  const problem = answer?.problem
  const save = (): void =>
    void attempt(async () => {
      const written = await writeModel(model.file, text, base.digest)
      setBase(written)
      tell(`${model.file} saved`)
    })
  return (
    <div className="model-file">
      <div className="model-file-text">
        <div className="model-file-bar row">
          <span className="mono truncate grow">{model.file}</span>
          {isEdited && (
            <Button icon={<Undo2 />} disabled={isBusy} onClick={() => setText(base.text)}>
              Discard
            </Button>
          )}
          {mayEdit && (
            <Button
              tone="primary"
              icon={<Save />}
              isBusy={isBusy}
              disabled={!isEdited || problem !== undefined || draft.isBehind}
              onClick={save}
            >
              Save
            </Button>
          )}
        </div>
        {error !== undefined && <ErrorBox error={error} />}
        {isEdited && base.digest !== source.digest && (
          <Notice tone="warning" title="The file was changed meanwhile">
            It was saved somewhere else since you began. Copy what you have written, discard it, and begin again
            with the new text.
          </Notice>
        )}
        {!mayEdit && (
          <Notice>
            Model files are programs, so the page does not change them by default. To edit them here, start
            hashrange with <code>--edit-models</code>.
          </Notice>
        )}
        <CodeEditor
          label="Model file"
          language="typescript"
          value={text}
          onChange={setText}
          isReadOnly={!mayEdit}
          check={(now) => (problem === undefined || now !== text ? [] : problemsIn(now, problem))}
          checkAgain={problem?.message ?? ''}
        />
      </div>
      <ChangePanel change={change} problem={problem} isBehind={isEdited && draft.isBehind} />
    </div>
  )
}

/** The whole line: columns are those of what was made of the file. */
function problemsIn(text: string, { line, message }: ModelFileError): readonly EditorProblem[] {
  if (line === null) return []
  const lines = text.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0)
  return [{ start, end: start + (lines[line - 1]?.length ?? 0), message }]
}
