/** How many bytes of items are parsed for one request before others get their turn. */
const bytesATurn = 4 * 1024 * 1024

/** Spreads the work on the items of a batch over several turns of the event loop. An item of 400 KB can be several
 *  megabytes of JSON, and a batch can read a hundred items. */
export class Pace {
  #bytes = 0

  /** A promise to await before the next bytes are parsed; undefined as long as there are few. */
  before(bytes: number): Promise<void> | undefined {
    const turns = Math.floor(this.#bytes / bytesATurn)
    this.#bytes += bytes
    return turns === 0 ? undefined : turnsLater(turns)
  }
}

/** Parallel requests continue one after the other. */
async function turnsLater(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}
