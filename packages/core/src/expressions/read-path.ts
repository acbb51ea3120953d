import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { attributeOf } from '../values/attribute-value.ts'
import type { Path, PathSegment } from './syntax.ts'

/** The value at a path, if the item has one there. */
export function readPath(path: Path, item: Item): AttributeValue | undefined {
  const head = path[0]
  if (head === undefined || head.kind !== 'name') return undefined
  let value = attributeOf(item, head.name)
  for (let position = 1; position < path.length && value !== undefined; position++) {
    const segment = path[position]
    value = segment === undefined ? undefined : below(value, segment)
  }
  return value
}

function below(value: AttributeValue, segment: PathSegment): AttributeValue | undefined {
  if (segment.kind === 'name') return 'M' in value ? attributeOf(value.M, segment.name) : undefined
  return 'L' in value ? value.L[segment.index] : undefined
}
