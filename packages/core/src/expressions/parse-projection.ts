import { ExpressionReader } from './expression-reader.ts'
import type { ParsedProjection } from './parse-tree.ts'

export function parseProjection(text: string): ParsedProjection {
  const reader = new ExpressionReader('ProjectionExpression', text)
  const paths = [reader.path()]
  while (reader.accept(',')) paths.push(reader.path())
  reader.expect('end')
  return { paths }
}
