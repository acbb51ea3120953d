import { RequestExpressions, readProjection } from '../wire/expressions.ts'
import { assertNoOverlap, projectedNames, type DocumentPath } from '../wire/projections.ts'

export interface Projection {
  /** What was asked for; undefined for everything. */
  readonly paths: readonly DocumentPath[] | undefined
  /** How that is asked of the engine, which reads whole attributes: their parts are taken from them here, by their position in the
   *  request. */
  readonly members: Readonly<Record<string, unknown>>
}

export function projectionOf(bytes: Buffer | undefined, expressions = new RequestExpressions()): Projection {
  if (bytes === undefined) return { paths: undefined, members: expressions.members() }
  const paths = readProjection(bytes)
  assertNoOverlap(paths)
  const ProjectionExpression = expressions.attributes(projectedNames(paths))
  return { paths, members: { ProjectionExpression, ...expressions.members() } }
}
