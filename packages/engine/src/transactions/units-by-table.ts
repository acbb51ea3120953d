import {
  consumedCapacity,
  type CapacityDetail,
  type ConsumedCapacity,
  type ReturnConsumedCapacity,
} from '../capacity/consumed-capacity.ts'
import { addUnits, type Units } from '../capacity/units.ts'

/** Units summed by table, in the order in which the request first names each. */
export class UnitsByTable {
  readonly #units = new Map<string, Units>()

  add(tableName: string, units: Units): void {
    const before = this.#units.get(tableName)
    this.#units.set(tableName, before === undefined ? units : addUnits(before, units))
  }

  get isEmpty(): boolean {
    return this.#units.size === 0
  }

  consumed(
    wanted: ReturnConsumedCapacity | undefined,
    detail: CapacityDetail = 'plain',
  ): readonly ConsumedCapacity[] | undefined {
    if (wanted === undefined || wanted === 'NONE') return undefined
    return [...this.#units].flatMap(
      ([tableName, units]) => consumedCapacity(wanted, tableName, units, detail) ?? [],
    )
  }
}
