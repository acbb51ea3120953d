import type { Store } from '../store/store.ts'
import { readCatalogVersion } from './read-catalog.ts'

/** Citus ends what was left between two phases of a commit once a minute. */
const settlingMs = 90_000

/** The version of the catalog that a server has read. If a view may see a part of a change before the rest, the server reads the
 *  same version again for a while: otherwise the rest would stay unknown until the next change. */
export class SeenVersion {
  readonly #store: Store
  #version = -1
  #firstAtMs = 0
  #lastAtMs = 0

  constructor(store: Store) {
    this.#store = store
  }

  async isCurrent(): Promise<boolean> {
    if ((await readCatalogVersion(this.#store)) !== this.#version) return false
    return this.#store.viewsSeveralMoments !== true || this.#lastAtMs - this.#firstAtMs >= settlingMs
  }

  /** `startedAtMs` is when the server began to read it, by `performance.now()`. */
  note(version: number, startedAtMs: number): void {
    if (version !== this.#version) this.#firstAtMs = startedAtMs
    this.#version = version
    this.#lastAtMs = startedAtMs
  }
}
