/** What was delivered by one mapping since this process started. */
export interface MappingFigures {
  readonly scope: { readonly accountId: string; readonly region: string }
  readonly functionName: string
  readonly sourceArn: string
  calls: number
  failures: number
  records: number
  /** Records that matched no filter. */
  filtered: number
  discarded: number
  /** Calls that repeated an earlier one. */
  retries: number
  /** How old the last record of the last batch was when it was delivered. */
  iteratorAgeMs: number
  lastFailure?: { readonly atMs: number; readonly message: string } | undefined
  /** The latest batches, the oldest first. */
  readonly batches: DeliveredBatch[]
}

/** One call of a function by a mapping. */
export interface DeliveredBatch {
  readonly atMs: number
  readonly shardId: string
  /** Of its first record. */
  readonly sequenceNumber: string
  readonly records: number
  /** How many of them are done. */
  readonly done: number
  readonly durationMs: number
  /** 1 for the first call with these records. */
  readonly attempt: number
  /** Why it must be repeated, if it must. */
  readonly failure?: string | undefined
}

const mostBatches = 50
const mostFailureCharacters = 1_000

/** Keeps what happened with a batch. There is room for the latest ones. */
export function noteBatch(figures: MappingFigures, batch: DeliveredBatch): void {
  const failure = batch.failure?.slice(0, mostFailureCharacters)
  figures.batches.push({ ...batch, failure })
  if (figures.batches.length > mostBatches) figures.batches.shift()
  if (batch.attempt > 1) figures.retries++
  if (failure !== undefined) figures.lastFailure = { atMs: batch.atMs, message: failure }
}

/** Counts what mappings do. */
export class Figures {
  readonly #byMapping = new Map<string, MappingFigures>()

  of(uuid: string, about: Pick<MappingFigures, 'scope' | 'functionName' | 'sourceArn'>): MappingFigures {
    let figures = this.#byMapping.get(uuid)
    if (figures === undefined) {
      const { scope, functionName, sourceArn } = about
      const none = { calls: 0, failures: 0, records: 0, filtered: 0, discarded: 0, retries: 0, iteratorAgeMs: 0 }
      figures = { scope, functionName, sourceArn, ...none, batches: [] }
      this.#byMapping.set(uuid, figures)
    }
    return figures
  }

  find(uuid: string): MappingFigures | undefined {
    return this.#byMapping.get(uuid)
  }

  all(): Iterable<readonly [uuid: string, figures: MappingFigures]> {
    return this.#byMapping
  }

  forget(uuid: string): void {
    this.#byMapping.delete(uuid)
  }
}
