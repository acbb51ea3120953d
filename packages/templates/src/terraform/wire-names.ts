import type { Json, JsonObject } from '../table-design.ts'

/** `min_capacity` is `MinCapacity`. What Terraform leaves empty is not given. */
export function wireNames(values: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const value = values[name]
      if (value === undefined || value === null || value === '') return []
      if (Array.isArray(value) && value.length === 0) return []
      return [[name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()), value]]
    }),
  )
}
