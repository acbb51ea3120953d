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
import { useKeptDraft } from './kept-draft.ts'
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
  const [{ base, text, past, replaced }, change] = useKeptDraft(model.file, source)
  const [mode, setMode] = useState<'form' | 'text'>(() => (recall(modeName) === 'text' ? 'text' : 'form'))
  const isForm = mayEdit && mode === 'form'
  const isEdited = text !== base.text
  /** Whether the file on disk is news. */
  const isChanged = source.digest !== base.digest && source.digest !== replaced
  if (!isEdited && isChanged) {
    change({ base: source, text: source.text })
  }
  const edit = (next: string): void => {
    if (next === text) return
    change({ past: [...past, text].slice(-mostUndone), text: next })
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
  const difference = useMemo(
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
      change({ replaced: source.digest, base: written })
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
                change({ past: past.slice(0, -1), text: before })
              }}
            />
          )}
          {isEdited && (
            <Button
              icon={<RotateCcw />}
              disabled={isBusy}
              onClick={() => {
                change({ past: [], text: base.text })
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
            onChange={(next) => change({ text: next })}
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
      <ChangePanel change={difference} problem={problem} isBehind={isEdited && draft.isBehind} />
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
