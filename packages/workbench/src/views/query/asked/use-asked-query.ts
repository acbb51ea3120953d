import { useMemo } from 'react'
import { modelId, modelsOf, useModelFiles } from '../../../api/models.ts'
import type { TableDescription } from '../../../api-types.ts'
import type { PatternCall } from '../../../codegen/model-client.ts'
import { useUrlState } from '../../../state/url-state.ts'
import { buildRequest } from '../draft/build-request.ts'
import { keyShapeOf } from '../draft/key-schema.ts'
import { draftOfUrl, querySchema } from './query-url.ts'
import { usePattern } from '../pattern/use-pattern.ts'

export type AskedQuery = ReturnType<typeof useAskedQuery>

/** What is asked of a table, as the address and the loaded models say it. */
export function useAskedQuery(table: TableDescription) {
  const [state, setState] = useUrlState(querySchema)
  const files = useModelFiles().data?.files ?? []
  const models = useMemo(
    () =>
      modelsOf(files).filter(({ description }) => description.tables.some(({ name }) => name === table.TableName)),
    [files, table.TableName],
  )
  const model = models.find((each) => modelId(each) === state.model) ?? models[0]
  const pattern = model?.description.patterns.find(({ name }) => name === state.pattern)
  const draft = useMemo(
    () => draftOfUrl(state.q, state.index, state.pk, state.sk),
    [state.q, state.index, state.pk, state.sk],
  )
  const isLinked = draft !== state.q || window.location.search.includes('q=')
  const chosen = state.mode === 'write' ? 'auto' : state.mode
  const mode = chosen === 'auto' ? (model !== undefined && !isLinked ? 'pattern' : 'key') : chosen

  const built = useMemo(() => buildRequest(draft, table), [draft, table])
  const explained = usePattern(model, mode === 'pattern' ? pattern : undefined, state.p)
  const requests = useMemo(
    () => (mode === 'pattern' ? explained.requests : [built.request]),
    [mode, explained.requests, built.request],
  )
  const [request] = requests
  const problems = mode === 'key' ? built.problems : noProblems
  const index = request?.input.IndexName ?? (mode === 'key' ? draft.index : '')
  const call: PatternCall | undefined =
    mode === 'pattern' && model !== undefined && pattern !== undefined && explained.given?.missing.length === 0
      ? {
          file: model.file,
          exportName: model.exportName,
          pattern: pattern.name,
          action: pattern.action,
          parameters: explained.given.parameters,
          isLimited: pattern.limit !== undefined,
        }
      : undefined
  return {
    table,
    state,
    setState,
    mode,
    /** By key. */
    draft,
    keyOperation: built.request.operation,
    problems,
    /** By an access pattern: those of all loaded files, and the one that was picked. */
    files,
    models,
    model,
    pattern,
    explained,
    call,
    /** What is sent: one request, or one for each shard. */
    requests,
    request,
    isReady: request !== undefined && problems.size === 0,
    index,
    isConsistent: request?.input.ConsistentRead === true,
    keyShape: useMemo(() => keyShapeOf(table, index), [table, index]),
    calls: state.calls >= 0 ? state.calls : ((mode === 'pattern' ? pattern?.traffic.rate : undefined) ?? 10),
  }
}

const noProblems: ReadonlyMap<string, string> = new Map()
