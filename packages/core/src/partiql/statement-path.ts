import { invalidExpression } from '../expressions/invalid-expression.ts'
import type { Path, PathSegment } from '../expressions/syntax.ts'
import { limits } from '../limits.ts'
import { refusedAt } from './statement-errors.ts'
import type { PathExpression, PathPart } from './syntax.ts'

const greatestIndex = 2_147_483_647

/** The document path that a statement's path means. */
export function statementPath({ parts }: PathExpression): Path {
  if (parts.length > limits.nestingLevels) {
    throw invalidExpression(
      'Statement',
      `The document path has too many nesting levels; nesting levels: ${parts.length}`,
    )
  }
  return parts.map(segmentOf)
}

function segmentOf(part: PathPart): PathSegment {
  if (part.kind === 'name') return part
  if (part.kind === 'unexpected') throw refusedAt('Unexpected path component', part.at)
  const index = Number(part.text)
  if (Number.isInteger(index) && index >= 0 && index <= greatestIndex) return { kind: 'index', index: index + 0 }
  throw refusedAt(`List index is not within the allowable range; index: [${part.text}]`, part.at)
}
