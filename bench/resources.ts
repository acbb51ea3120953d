import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** What a run must not leave behind: processes and folders, given back in reverse order however the run ends. */
export class Resources {
  readonly #releases: (() => void)[] = []

  /** `release` must be harmless when what it releases is gone already. */
  add(release: () => void): void {
    this.#releases.push(release)
  }

  /** A new folder beside the project, on a real disk: the system's temporary folder is often in memory, where an fsync
   *  costs nothing. */
  temporaryFolder(parent: string): string {
    mkdirSync(parent, { recursive: true })
    const folder = mkdtempSync(join(parent, 'run-'))
    this.add(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
    return folder
  }

  releaseAll(): void {
    for (let release = this.#releases.pop(); release !== undefined; release = this.#releases.pop()) release()
  }
}
