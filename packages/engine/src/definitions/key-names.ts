import type { KeySchema } from './table-definition.ts'

/** The names of the key attributes, those of the hash key first. */
export function namesOf(schema: KeySchema): readonly string[] {
  return [...schema.hash, ...schema.range]
}
