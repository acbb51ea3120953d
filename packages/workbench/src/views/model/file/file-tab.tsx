import { RotateCcw, Save, Undo2 } from '../../../icons/icons.generated.ts'
import { useMemo, useState } from 'react'
import type { ModelFileError, ModelSource, TypeProblem } from '../../../answers/models.ts'
import { useInfo } from '../../../api/queries.ts'
import { CodeEditor, type EditorProblem } from '../../../components/code/code-editor.tsx'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { Choice } from '../../../components/controls/field.tsx'
import { ErrorBox, Notice, Waiting } from '../../../components/messages/notices.tsx'
import { tell } from '../../../components/messages/toast.tsx'
import { useAttempt } from '../../../components/messages/use-attempt.ts'
import { recall, remember } from '../../../state/memory.ts'
import { ModelForms } from '../forms/model-forms.tsx'
import type { ModelTabProps } from '../patterns-tab.tsx'
import { ChangePanel } from './change-panel.tsx'
import { compareModels } from './compare-models.ts'
import { suggestionsAt } from '../source/complete-model.ts'
import { factsOf, useDraftFacts, useModelSource, useTypeProblems, writeModel } from './use-draft.ts'
import './file-tab.css'

const modeName = 'model-edit'
/** More than anybody wants back. */
const mostUndone = 100

/** The model file itself, as forms and as text, and what a change of it does before it is saved. */
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
  /** The texts before the edits of the forms; the text editor has a memory of its own. */
  const [past, setPast] = useState<readonly string[]>([])
  const [mode, setMode] = useState<'form' | 'text'>(() => (recall(modeName) === 'text' ? 'text' : 'form'))
  const isForm = mayEdit && mode === 'form'
  const isEdited = text !== base.text
  /** Whether the file on disk is news. After saving, what is known of it is still the text from before for a moment. */
  const [replaced, setReplaced] = useState<string>()
  const isChanged = source.digest !== base.digest && source.digest !== replaced
  if (!isEdited && isChanged) {
    setBase(source)
    setText(source.text)
  }
  const edit = (next: string): void => {
    if (next === text) return
    setPast([...past, text].slice(-mostUndone))
    setText(next)
  }
  const chooseMode = (next: 'form' | 'text'): void => {
    remember(modeName, next)
    setMode(next)
  }
  const before = past.at(-1)
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
  const types = useTypeProblems(model, text, mayEdit && !isForm)
  const save = (): void =>
    void attempt(async () => {
      const written = await writeModel(model.file, text, base.digest)
      setReplaced(source.digest)
      setBase(written)
      tell(`${model.file} saved`)
    })
  return (
    <div className="model-file">
      <div className="model-file-text">
        <div className="model-file-bar row">
          {mayEdit && (
            <Choice
              label="Edit the model"
              shape="segments"
              value={mode}
              options={[
                { value: 'form', label: 'Form' },
                { value: 'text', label: 'Text' },
              ]}
              onChange={chooseMode}
            />
          )}
          <span className="grow" />
          {isForm && before !== undefined && (
            <IconButton
              label="Undo the last change"
              icon={<Undo2 />}
              disabled={isBusy}
              onClick={() => {
                setPast(past.slice(0, -1))
                setText(before)
              }}
            />
          )}
          {isEdited && (
            <Button
              icon={<RotateCcw />}
              disabled={isBusy}
              onClick={() => {
                setPast([])
                setText(base.text)
              }}
            >
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
        {isEdited && isChanged && (
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
        {isForm ? (
          <ModelForms text={text} model={model.description.name} onEdit={edit} onText={() => chooseMode('text')} />
        ) : (
          <CodeEditor
            label="Model file"
            language="typescript"
            value={text}
            onChange={setText}
            isReadOnly={!mayEdit}
            check={(now) =>
              now === text
                ? [
                    ...(problem === undefined ? [] : problemsIn(now, problem)),
                    ...(types?.problems ?? []).map((each) => typeProblemIn(now, each)),
                  ]
                : []
            }
            checkAgain={`${problem?.message ?? ''} ${JSON.stringify(types?.problems ?? [])}`}
            complete={(context) => {
              const found = suggestionsAt(context.state.doc.toString(), context.pos, model.description.name)
              if (found === undefined || found.words.length === 0) return null
              if (
                !context.explicit &&
                found.from === context.pos &&
                !opens.test(context.state.sliceDoc(found.from - 1, found.from))
              )
                return null
              return {
                from: found.from,
                options: found.words.map(({ label, kind, apply }) => ({
                  label,
                  type: kind,
                  ...(apply !== undefined && { apply }),
                })),
                validFor: /^[\w$]*$/,
              }
            }}
          />
        )}
      </div>
      <ChangePanel change={change} problem={problem} isBehind={isEdited && draft.isBehind} />
    </div>
  )
}

/** After these, suggestions come unasked. */
const opens = /[.{'"]/

/** The word at the place that the type checker names. */
function typeProblemIn(text: string, { line, column, code, message }: TypeProblem): EditorProblem {
  const lines = text.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1
  const word = /^(?:[\w$]+|(['"])(?:(?!\1).)*\1|.)/.exec(text.slice(start))?.[0] ?? ''
  return { start, end: start + word.length, message: `${message} (${code})` }
}

/** The whole line: columns are those of what was made of the file. */
function problemsIn(text: string, { line, message }: ModelFileError): readonly EditorProblem[] {
  if (line === null) return []
  const lines = text.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0)
  return [{ start, end: start + (lines[line - 1]?.length ?? 0), message }]
}
