import type { EntityDescription, ModelDescription } from '@hashrange/model'

export type ModelTable = ModelDescription['tables'][number]

/** What a change is in terms of the model. */
export interface WriteSubject {
  readonly entity: EntityDescription
  readonly table: ModelTable
  readonly operators: Operators
}

/** Functions of the library that code uses. */
export class Operators {
  readonly #names = new Set<string>()

  call(name: string, args: readonly string[]): string {
    this.#names.add(name)
    return `${name}(${args.join(', ')})`
  }

  names(): readonly string[] {
    return [...this.#names]
  }
}

/** The attributes that the primary key is made of. */
export function primaryNames({ key }: EntityDescription): ReadonlySet<string> {
  const parts = [...key.partition.parts, ...(key.sort?.parts ?? [])]
  return new Set(parts.flatMap((part) => (part.kind === 'hole' ? [part.attribute] : [])))
}
