import type { ModelDescription } from '../description.ts'

/** A model as plain data, from what it says about itself and its parts. */
export function describeModel(
  { name, description, owner }: About,
  parts: Pick<ModelDescription, 'tables' | 'entities' | 'patterns' | 'roles'>,
): ModelDescription {
  return {
    formatVersion: 1,
    name,
    ...(description !== undefined && { description }),
    ...(owner !== undefined && { owner }),
    ...parts,
  }
}

interface About {
  readonly name: string
  readonly description?: string | undefined
  readonly owner?: string | undefined
}
