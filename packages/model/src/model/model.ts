import type { ModelDescription } from '../description.ts'
import { definitionChecks } from './check-definitions.ts'
import type { EntityDefinition } from './entity.ts'
import { makeModel, type Model } from './make-model.ts'
import type { CheckEntities, Entities } from './pattern-types.ts'
import type { AnyPattern, PatternMaker } from './patterns.ts'
import type { Roles } from './roles.ts'
import type { TableConfig, Tables } from './table-config.ts'

export type Patterns = Readonly<Record<string, AnyPattern>>

export interface ModelSpecification<
  Es extends Entities,
  Ps extends Patterns,
  Main extends TableConfig,
  Ts extends Tables,
> {
  readonly name: string
  readonly description?: string
  readonly owner?: string
  /** The only table. */
  readonly table?: Main
  /** Or several: entities say `.in('orders')`, patterns `on: 'orders'`. */
  readonly tables?: Ts
  readonly entities: Es & CheckEntities<Es>
  /** The access patterns: every way in which the data is read or written. */
  readonly patterns: (p: PatternMaker<Es>) => Ps
  /** Who may use which of them. `hashrange generate --to iam` writes the policy of each role, and `hashrange check` proves it. */
  readonly roles?: Roles<NoInfer<keyof Ps & string>>
}

/** A model: entities, and the access patterns they serve. Throws a ModelError that says what is wrong with it. */
export function model<
  const Es extends Entities,
  Ps extends Patterns,
  const Main extends TableConfig = Record<never, never>,
  const Ts extends Tables = { readonly main: Main },
>(specification: ModelSpecification<Es, Ps, Main, Ts>): Model<Es, Ps, Ts> {
  return makeModel(specification, definitionChecks) as Model<Es, Ps, Ts>
}

/** Any model, for functions that take one. */
export interface AnyModel {
  readonly $: { readonly entities: Entities; readonly patterns: Patterns; readonly tables: Tables }
  readonly name: string
  readonly resolved: ModelDescription
  readonly definitions: readonly EntityDefinition[]
  readonly description: ModelDescription
}
