import { limits } from '../limits.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import type { ExpressionScope } from './expression-scope.ts'
import { invalidExpression } from './invalid-expression.ts'
import type { ParsedPath, ParsedPlaceholder } from './parse-tree.ts'
import type { ExpressionKind, Path, PathSegment } from './syntax.ts'
import { pathText } from './syntax.ts'

/** Resolves the aliases of a path. */
export function bindPath(kind: ExpressionKind, path: ParsedPath, scope: ExpressionScope): Path {
  const bound = path.fixed ?? resolveAliases(kind, path, scope)
  if (bound.length > limits.nestingLevels) {
    const problem = `The document path has too many nesting levels; nesting levels: ${bound.length}`
    throw invalidExpression(kind, problem)
  }
  return bound
}

export function bindValue(
  kind: ExpressionKind,
  { placeholder }: ParsedPlaceholder,
  scope: ExpressionScope,
): AttributeValue {
  const value = scope.value(placeholder)
  if (value !== undefined) return value
  throw invalidExpression(
    kind,
    `An expression attribute value used in expression is not defined; attribute value: ${placeholder}`,
  )
}

/** Comparing an attribute with itself is refused. */
export function assertDistinct(
  kind: ExpressionKind,
  operator: string,
  first: { readonly kind: string; readonly path?: Path },
  rest: readonly { readonly kind: string; readonly path?: Path }[],
): void {
  if (first.kind !== 'path' || first.path === undefined) return
  for (const operand of rest) {
    if (operand.kind !== 'path' || operand.path === undefined || !samePath(first.path, operand.path)) continue
    const subject = `operator: ${operator}, first operand: ${pathText(first.path)}`
    throw invalidExpression(
      kind,
      `The first operand must be distinct from the remaining operands for this operator or function; ${subject}`,
    )
  }
}

function resolveAliases(kind: ExpressionKind, path: ParsedPath, scope: ExpressionScope): Path {
  const segments: PathSegment[] = []
  for (const part of path.parts) {
    if (part.kind !== 'alias') {
      segments.push(part.kind === 'name' ? part : { kind: 'index', index: part.index })
      continue
    }
    const name = scope.name(part.alias)
    if (name === undefined) {
      const subject = `attribute name: ${part.alias}`
      throw invalidExpression(
        kind,
        `An expression attribute name used in the document path is not defined; ${subject}`,
      )
    }
    segments.push({ kind: 'name', name })
  }
  return segments
}

function samePath(a: Path, b: Path): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let position = 0; position < a.length; position++) {
    const left = a[position]
    const right = b[position]
    if (left?.kind === 'name') {
      if (right?.kind !== 'name' || left.name !== right.name) return false
    } else if (right?.kind !== 'index' || left?.index !== right.index) {
      return false
    }
  }
  return true
}
