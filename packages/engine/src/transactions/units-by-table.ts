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

  /** `namedAs` is the table's name or its ARN, as in the request; the first of them is shown. */
  add(tableName: string, units: Units, namedAs: string = tableName): void {
    const before = this.#units.get(tableName)
    this.#units.set(
      tableName,
      before === undefined ? { namedAs, units } : { namedAs: before.namedAs, units: addUnits(before.units, units) },
    )
  }

  get isEmpty(): boolean {
    return this.#units.size === 0
  }

  consumed(
    wanted: ReturnConsumedCapacity | undefined,
    detail: CapacityDetail = 'plain',
  ): readonly ConsumedCapacity[] | undefined {
    if (wanted === undefined || wanted === 'NONE') return undefined
    return [...this.#units.values()].flatMap(
      ({ namedAs, units }) => consumedCapacity(wanted, namedAs, units, detail) ?? [],
    )
  }
}
