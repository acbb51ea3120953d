import { describeRequest } from '../draft/describe-draft.ts'
import type { AskedQuery } from './use-asked-query.ts'

/** The query in one line, for the history and as the name to save it under. */
export function titleOf({ mode, pattern, state, request, table }: AskedQuery): string {
  if (mode === 'key' || pattern === undefined) return request === undefined ? '' : describeRequest(request, table)
  const given = Object.entries(state.p).filter(([, value]) => value !== '')
  return `${pattern.name}(${given.map(([name, value]) => `${name}: ${value}`).join(', ')})`
}

/** Why it cannot be run yet. */
export function whatIsMissing({ mode, pattern, explained, problems }: AskedQuery): string {
  const [problem] = problems.values()
  if (problem !== undefined) return problem
  if (mode === 'key') return 'The query is not complete yet.'
  if (pattern === undefined) return 'Pick an access pattern first.'
  const missing = explained.given?.missing ?? []
  return missing.length === 0 ? 'Checking the parameters.' : `${pattern.name} needs ${missing.join(', ')}.`
}
