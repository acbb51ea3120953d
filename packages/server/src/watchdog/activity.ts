import { operationsByTarget } from '@hashrange/engine'

/** What the event loop is doing, where another thread can see it. Costs a request two writes to memory. */
export class Activity {
  readonly shared = new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT)
  /** The names of operations by their numbers; 0 is none of them. */
  readonly names: readonly (string | undefined)[]
  readonly #cells = new Int32Array(this.shared)
  readonly #numbers: ReadonlyMap<string | undefined, number>

  /** `others` are the operations of services that are served beside DynamoDB. */
  constructor(others: readonly string[] = []) {
    this.names = [undefined, ...new Set([...Object.values(operationsByTarget).flat(), ...others])]
    this.#numbers = new Map(this.names.map((name, number) => [name, number]))
  }

  numberOf(name: string): number {
    return this.#numbers.get(name) ?? 0
  }

  /** `operation` is a number that `numberOf` gave. */
  begin(operation: number): void {
    this.#cells[activityCells.operation] = operation
  }

  end(): void {
    this.#cells[activityCells.operation] = 0
  }

  /** Says that the event loop goes round. */
  beat(): void {
    this.#cells[activityCells.beats] = ((this.#cells[activityCells.beats] ?? 0) + 1) | 0
  }

  /** Whether the loop was seen standing still since this was last asked, and in which operation if it was in one. */
  takeStall(): { readonly operation: string | undefined } | undefined {
    const seen = this.#cells[activityCells.stalledIn] ?? 0
    this.#cells[activityCells.stalledIn] = 0
    return seen === 0 ? undefined : { operation: this.names[seen - stallOffset] }
  }
}

export const activityCells = { beats: 0, operation: 1, stalledIn: 2 } as const

/** So that standing still in no operation is another number than not standing still. */
export const stallOffset = 1_000_000
