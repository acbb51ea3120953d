/** What was delivered by one mapping since this process started. */
export interface MappingFigures {
  readonly scope: { readonly accountId: string; readonly region: string }
  readonly functionName: string
  readonly sourceArn: string
  calls: number
  failures: number
  records: number
  /** Records that no filter let through. */
  filtered: number
  discarded: number
  /** How old the last record of the last batch was when it was delivered. */
  iteratorAgeMs: number
}

/** Counts what mappings do. */
export class Figures {
  readonly #byMapping = new Map<string, MappingFigures>()

  of(uuid: string, about: Pick<MappingFigures, 'scope' | 'functionName' | 'sourceArn'>): MappingFigures {
    let figures = this.#byMapping.get(uuid)
    if (figures === undefined) {
      const { scope, functionName, sourceArn } = about
      const none = { calls: 0, failures: 0, records: 0, filtered: 0, discarded: 0, iteratorAgeMs: 0 }
      figures = { scope, functionName, sourceArn, ...none }
      this.#byMapping.set(uuid, figures)
    }
    return figures
  }

  all(): Iterable<readonly [uuid: string, figures: MappingFigures]> {
    return this.#byMapping
  }

  forget(uuid: string): void {
    this.#byMapping.delete(uuid)
  }
}
