import { attributeOf, validationException, type AttributeValue, type Item } from '@hashrange/core'
import { writeAttributeValue } from './attribute-values.ts'
import type { CborWriter } from './cbor-writer.ts'

/** A document path: names of members and positions in lists. */
export type DocumentPath = readonly (string | number)[]

/** The attributes that a projection asks for, by the position of their path in the request. */
export function writeProjected(writer: CborWriter, item: Item, paths: readonly DocumentPath[]): void {
  const found = paths.flatMap((path, position) => {
    const value = valueAt(item, path)
    return value === undefined ? [] : [{ position, value }]
  })
  writer.map(found.length)
  for (const { position, value } of found) {
    writer.integer(position)
    writeAttributeValue(writer, value)
  }
}

function valueAt(item: Item, path: DocumentPath): AttributeValue | undefined {
  let value: AttributeValue | undefined = { M: item }
  for (const part of path) {
    if (value === undefined) return undefined
    if (typeof part === 'string') value = 'M' in value ? attributeOf(value.M, part) : undefined
    else value = 'L' in value ? value.L[part] : undefined
  }
  return value
}

/** The attributes that must be read for a projection, each once. */
export function projectedNames(paths: readonly DocumentPath[]): readonly string[] {
  return [...new Set(paths.map(([name]) => String(name)))]
}

export function assertNoOverlap(paths: readonly DocumentPath[]): void {
  const seen = new Map<string, DocumentPath>()
  for (const path of paths.toSorted((one, other) => one.length - other.length)) {
    for (let length = 1; length <= path.length; length++) {
      const other = seen.get(JSON.stringify(path.slice(0, length)))
      if (other === undefined) continue
      throw validationException(
        `Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${wording(other)}, path two: ${wording(path)}`,
      )
    }
    seen.set(JSON.stringify(path), path)
  }
}

function wording(path: DocumentPath): string {
  return `[${path.map((part) => (typeof part === 'number' ? `[${part}]` : part)).join(', ')}]`
}
