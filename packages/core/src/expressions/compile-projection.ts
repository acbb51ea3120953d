import { bindPath } from './bind-operands.ts'
import { checkProjection } from './check-functions.ts'
import type { ExpressionScope } from './expression-scope.ts'
import { ParseCache } from './parse-cache.ts'
import { parseProjection } from './parse-projection.ts'
import type { ParsedProjection } from './parse-tree.ts'
import { assertPathsApart } from './path-overlap.ts'
import { projectionOf } from './project.ts'
import type { Projection } from './syntax.ts'

interface CachedProjection {
  readonly parsed: ParsedProjection
  /** The compiled projection, if the text has no aliases and therefore means the same in every request. */
  compiled: Projection | undefined
}

const cache = new ParseCache<CachedProjection>('ProjectionExpression', (text) => {
  const parsed = parseProjection(text)
  checkProjection(parsed)
  return { parsed, compiled: undefined }
})

export function compileProjection(text: string, scope: ExpressionScope): Projection {
  const cached = cache.get(text)
  if (cached.compiled !== undefined) return cached.compiled
  const paths = cached.parsed.paths.map((path) => bindPath('ProjectionExpression', path, scope))
  assertPathsApart('ProjectionExpression', paths)
  const projection = projectionOf(paths)
  if (cached.parsed.paths.every((path) => path.fixed !== undefined)) cached.compiled = projection
  return projection
}
