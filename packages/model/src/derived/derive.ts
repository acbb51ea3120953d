import type { AnyEntity } from '../model/entity.ts'
import type { AnyModel } from '../model/model.ts'
import { checkDerivations } from './check-derivations.ts'
import type { Derivation } from './derivation.ts'

export interface DeriveOptions {
  /** The entity made by `marks()`. Needed for counters, sums and entries. */
  readonly marks?: AnyEntity
}

/** What is derived from the items of a model. */
export class Derived {
  readonly model: AnyModel
  readonly derivations: ReadonlyMap<string, Derivation>
  /** The name of the entity of the marks. */
  readonly marks: string | undefined

  constructor(model: AnyModel, derivations: ReadonlyMap<string, Derivation>, marks: string | undefined) {
    this.model = model
    this.derivations = derivations
    this.marks = marks
  }
}

/** Declares derived items of a model, once: `derivedHandler` keeps them, `hashrange derive` rebuilds and verifies them, and
 *  `hashrange check` measures what they cost. Throws a ModelError that says what is wrong with the declarations.
 *
 *      export const derived = derive(shop, {
 *        ordersPerCustomer: count(Order, { by: 'customerId', into: CustomerTotals, set: 'orders' }),
 *      }, { marks: Mark })
 */
export function derive(
  model: AnyModel,
  derivations: Readonly<Record<string, Derivation>>,
  options: DeriveOptions = {},
): Derived {
  const named = new Map(Object.entries(derivations))
  const marks = options.marks?.definition.name
  checkDerivations(model.resolved, named, marks)
  return new Derived(model, named, marks)
}
