import { operationsByTarget } from '@hashrange/engine'

/** What the event loop is doing, visible to another thread. Costs two memory writes per request. */
export class Activity {
  readonly shared = new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT)
  /** The names of operations by their numbers; 0 is none of them. */
  readonly names: readonly (string | undefined)[]
  readonly #cells = new Int32Array(this.shared)
  readonly #numbers: ReadonlyMap<string | undefined, number>

  /** `others` are the operations of services beside DynamoDB. */
  constructor(others: readonly string[] = []) {
    this.names = [undefined, ...new Set([...Object.values(operationsByTarget).flat(), ...others])]
    this.#numbers = new Map(this.names.map((name, number) => [name, number]))
  }

  numberOf(name: string): number {
    return this.#numbers.get(name) ?? 0
  }

  /** `operation` is a number from `numberOf`. */
  begin(operation: number): void {
    this.#cells[activityCells.operation] = operation
  }

  end(): void {
    this.#cells[activityCells.operation] = 0
  }

  /** Shows that the event loop is running. */
  beat(): void {
    this.#cells[activityCells.beats] = ((this.#cells[activityCells.beats] ?? 0) + 1) | 0
  }

  /** Whether the loop was seen blocked since the last call, and in which operation, if any. */
  takeStall(): { readonly operation: string | undefined } | undefined {
    const seen = this.#cells[activityCells.stalledIn] ?? 0
    this.#cells[activityCells.stalledIn] = 0
    return seen === 0 ? undefined : { operation: this.names[seen - stallOffset] }
  }
}

export const activityCells = { beats: 0, operation: 1, stalledIn: 2 } as const

/** So that being blocked in no operation is a different number than not being blocked. */
export const stallOffset = 1_000_000
