import {
  consumedCapacity,
  type CapacityDetail,
  type ConsumedCapacity,
  type ReturnConsumedCapacity,
} from '../capacity/consumed-capacity.ts'
import { addUnits, type Units } from '../capacity/units.ts'

/** Units by table, in the order in which the request first names each. */
export class UnitsByTable {
  readonly #units = new Map<string, { readonly namedAs: string; readonly units: Units }>()

  readonly #failed = new Map<string, number>()

  /** `namedAs` is the table's name or its ARN, as in the request; the first of them is shown. */
  add(tableName: string, units: Units, namedAs: string = tableName): void {
    const before = this.#units.get(tableName)
    this.#units.set(
      tableName,
      before === undefined ? { namedAs, units } : { namedAs: before.namedAs, units: addUnits(before.units, units) },
    )
  }

  /** What failed costs too, but only shows in the total of a table of which something else has succeeded. */
  addFailed(tableName: string, units: number): void {
    this.#failed.set(tableName, (this.#failed.get(tableName) ?? 0) + units)
  }

  get isEmpty(): boolean {
    return this.#units.size === 0
  }

  consumed(
    wanted: ReturnConsumedCapacity | undefined,
    detail: CapacityDetail = 'plain',
  ): readonly ConsumedCapacity[] | undefined {
    if (wanted === undefined || wanted === 'NONE') return undefined
    return [...this.#units].flatMap(([tableName, { namedAs, units }]) => {
      const shown = consumedCapacity(wanted, namedAs, units, detail)
      if (shown === undefined) return []
      return { ...shown, CapacityUnits: shown.CapacityUnits + (this.#failed.get(tableName) ?? 0) }
    })
  }
}
