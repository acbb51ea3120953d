import { modelId, type LoadedModel } from '../../api/models.ts'
import type { Item } from '../../api/types.ts'
import { Choice } from '../../components/field.tsx'
import { useGo } from '../../state/links.ts'
import { draftOfRequest } from './draft-of-request.ts'
import { KeyPane } from './key-pane.tsx'
import { LoadModel, ModelErrors } from './load-model.tsx'
import { PatternPane } from './pattern-pane.tsx'
import { QuerySummary } from './query-summary.tsx'
import { RunButton } from './run-button.tsx'
import type { AskedQuery } from './use-asked-query.ts'
import { useExampleValues } from './use-pattern.ts'

export interface QueryBuilderProps {
  readonly query: AskedQuery
  /** What was found last, whose attributes can be picked. */
  readonly items: readonly Item[]
  readonly isRunning: boolean
  readonly onRun: () => void
  readonly onCancel: (() => void) | undefined
}

/** Where a query is made: by an access pattern of a model, or by key. */
export function QueryBuilder({ query, items, isRunning, onRun, onCancel }: QueryBuilderProps) {
  const { table, mode, draft, problems, setState } = query
  return (
    <form
      className="query-builder"
      aria-label="Query"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
        if (!(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        onRun()
      }}
    >
      <div className="query-scroll">
        <Choice
          label="How the query is made"
          shape="segments"
          value={mode}
          options={[
            { value: 'pattern', label: 'By access pattern' },
            { value: 'key', label: 'By key' },
          ]}
          onChange={(next) => setState({ mode: next, run: false })}
        />
        {mode === 'key' ? (
          <KeyPane
            table={table}
            draft={draft}
            problems={problems}
            operation={query.keyOperation}
            items={items}
            onChange={(changes) =>
              setState({ mode: 'key', q: { ...draft, ...changes }, index: '', pk: '', sk: '', run: false })
            }
          />
        ) : query.model === undefined ? (
          <LoadModel table={table.TableName} files={query.files} />
        ) : (
          <PatternForm query={query} model={query.model} />
        )}
      </div>
      <footer className="query-foot">
        <QuerySummary query={query} />
        <div className="row">
          <RunButton className="grow" isRunning={isRunning} onRun={onRun} onCancel={onCancel} />
        </div>
      </footer>
    </form>
  )
}

function PatternForm({ query, model }: { readonly query: AskedQuery; readonly model: LoadedModel }) {
  const { table, files, models, pattern, state, setState, explained, request, requests } = query
  const go = useGo()
  const example = useExampleValues(model, pattern, (p) => setState({ p, run: false }))
  const pick = (picked: LoadedModel, name: string): void => {
    const changes = { mode: 'pattern', model: modelId(picked), pattern: name } as const
    const home = tableOfPattern(picked, name)
    if (home !== undefined && home !== table.TableName) go('query', home, changes)
    else setState({ ...changes, p: {}, run: false, calls: -1 }, { push: true })
  }
  return (
    <>
      <ModelErrors files={files.filter(({ file }) => file === model.file)} />
      <PatternPane
        models={models}
        model={model}
        pattern={pattern}
        texts={state.p}
        given={explained.given}
        error={explained.error}
        isLooking={example.isLooking}
        onExample={example.look}
        onChange={(p) => setState({ p, run: false })}
        onPick={pick}
        onEdit={
          request === undefined || requests.length > 1
            ? undefined
            : () => setState({ mode: 'key', q: draftOfRequest(request, table), run: false }, { push: true })
        }
      />
    </>
  )
}

function tableOfPattern({ description }: LoadedModel, name: string): string | undefined {
  const id = description.patterns.find((pattern) => pattern.name === name)?.table
  return description.tables.find((table) => table.id === id)?.name
}
