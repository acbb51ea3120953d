import { modelId, type LoadedModel } from '../../../api/models.ts'
import type { Item } from '../../../api-types.ts'
import { useGo } from '../../../state/links.ts'
import type { SetOptions } from '../../../state/url-state.ts'
import { draftOfRequest } from '../draft/draft-of-request.ts'
import { KeyPane } from './key-pane.tsx'
import { ModeChoice } from './mode-choice.tsx'
import { LoadModel, ModelErrors } from '../pattern/load-model.tsx'
import { PatternPane } from '../pattern/pattern-pane.tsx'
import { QuerySummary } from './query-summary.tsx'
import { RunButton } from '../run/run-button.tsx'
import type { AskedQuery } from '../asked/use-asked-query.ts'
import { useExampleValues } from '../pattern/use-pattern.ts'

/** Changes the query in the address, which is then not run yet. */
export type EditQuery = (changes: Partial<Omit<AskedQuery['state'], 'run'>>, options?: SetOptions) => void

export interface QueryBuilderProps {
  readonly query: AskedQuery
  readonly edit: EditQuery
  /** What was found last, whose attributes can be picked. */
  readonly items: readonly Item[]
  readonly isRunning: boolean
  readonly onRun: () => void
  readonly onCancel: (() => void) | undefined
}

/** Where a query is made: by an access pattern of a model, or by key. */
export function QueryBuilder({ query, edit, items, isRunning, onRun, onCancel }: QueryBuilderProps) {
  const { table, mode, draft, problems } = query
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
        <ModeChoice mode={mode} onChange={(next) => edit({ mode: next })} />
        {mode === 'key' ? (
          <KeyPane
            table={table}
            draft={draft}
            problems={problems}
            operation={query.keyOperation}
            items={items}
            onChange={(changes) => edit({ mode: 'key', q: { ...draft, ...changes }, index: '', pk: '', sk: '' })}
          />
        ) : query.model === undefined ? (
          <LoadModel table={table.TableName} files={query.files} />
        ) : (
          <PatternForm query={query} edit={edit} model={query.model} />
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

function PatternForm({
  query,
  edit,
  model,
}: {
  readonly query: AskedQuery
  readonly edit: EditQuery
  readonly model: LoadedModel
}) {
  const { table, files, models, pattern, state, explained, request, requests } = query
  const go = useGo()
  const example = useExampleValues(model, pattern, (p) => edit({ p }))
  const pick = (picked: LoadedModel, name: string): void => {
    const changes = { mode: 'pattern', model: modelId(picked), pattern: name } as const
    const home = tableOfPattern(picked, name)
    if (home !== undefined && home !== table.TableName) go('query', home, changes)
    else edit({ ...changes, p: {}, calls: -1 }, { push: true })
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
        onChange={(p) => edit({ p })}
        onPick={pick}
        onEdit={
          request === undefined || requests.length > 1
            ? undefined
            : () => edit({ mode: 'key', q: draftOfRequest(request, table) }, { push: true })
        }
      />
    </>
  )
}

function tableOfPattern({ description }: LoadedModel, name: string): string | undefined {
  const id = description.patterns.find((pattern) => pattern.name === name)?.table
  return description.tables.find((table) => table.id === id)?.name
}
