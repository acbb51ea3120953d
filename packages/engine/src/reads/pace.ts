/** How many bytes of items are parsed for one request before others have their turn. */
const bytesATurn = 4 * 1024 * 1024

/** Spreads the work on the items of a batch over turns of the event loop. An item of 400 KB can be several megabytes of JSON, and a batch can read a hundred. */
export class Pace {
  #bytes = 0

  /** Something to wait for before the next so many bytes are parsed; nothing as long as they are few. */
  before(bytes: number): Promise<void> | undefined {
    const turns = Math.floor(this.#bytes / bytesATurn)
    this.#bytes += bytes
    return turns === 0 ? undefined : turnsLater(turns)
  }
}

/** What is asked for side by side goes on one after the other. */
async function turnsLater(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}
