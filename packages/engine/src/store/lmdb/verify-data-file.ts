import type { Key, StoreVerification } from '../store.ts'
import type { StoredValues } from './data-file.ts'
import type { DiskFile } from './disk.ts'
import type { FileState } from './file-state.ts'
import { isIntact } from './value-checksum.ts'
import { verifyPages } from './verify-pages.ts'

export interface VerifyDataFileOptions {
  readonly name: string
  readonly values: StoredValues
  readonly hold: () => HeldPages
  readonly run: StoreVerification
}

/** A state whose pages stay as they are until it is released, and the file that contains them: it may be a different
 *  one the next time. */
export interface HeldPages {
  readonly file: DiskFile
  readonly state: FileState
  release(): void
}

/** Checks every page and every checksum of a data file. Returns whether the tree is sound, so that LMDB may read it.
 *  While a state is held, LMDB cannot reuse the pages that writes replace. So none is held for long: if it takes
 *  longer, the rest is checked in a later state, and what concerns a state as a whole is left out. */
export async function verifyDataFile(options: VerifyDataFileOptions): Promise<boolean> {
  const { run } = options
  let isSound = true
  let from: Key | undefined
  for (;;) {
    const held = options.hold()
    const piece = new Piece(options, held, from)
    try {
      await piece.run()
    } finally {
      held.release()
    }
    isSound &&= piece.isSound
    if (piece.isComplete || run.stopping.aborted) break
    from = piece.reached
  }
  if (from !== undefined) {
    run.onUnchecked(
      `The list of free pages of ${options.name} was not compared with its tree, since others write meanwhile. Stop the server to have that done.`,
    )
  }
  return isSound
}

/** As much of a state as can be checked while it is held. */
class Piece {
  readonly #options: VerifyDataFileOptions
  readonly #pages: HeldPages
  readonly #from: Key | undefined
  isSound = true
  isComplete = false
  /** After the last key that was checked. */
  reached: Key | undefined

  constructor(options: VerifyDataFileOptions, pages: HeldPages, from: Key | undefined) {
    this.#options = options
    this.#pages = pages
    this.#from = from
    this.reached = from
  }

  async run(): Promise<void> {
    const { run } = this.#options
    const untilMs = performance.now() + run.longestSnapshotMs
    const steps = this.#steps()
    while (!run.stopping.aborted) {
      const turnEndsMs = performance.now() + turnMs
      let pages = 0
      for (let step = 0; step % 64 !== 0 || performance.now() < turnEndsMs; step++) {
        if (steps.next().done === true) {
          this.isComplete = true
          run.onProgress(pages)
          return
        }
        pages++
      }
      run.onProgress(pages)
      if (performance.now() > untilMs && this.reached !== this.#from) return
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  #steps(): Generator<void> {
    const { name, values, run } = this.#options
    const { file, state } = this.#pages
    return verifyPages({
      file,
      state,
      from: this.#from,
      onFault: ({ page, problem }) => {
        this.isSound = false
        run.onFault({ place: name, problem: page === 0 ? problem : `Page ${page}: ${problem}` })
      },
      onEntry: (key, value) => {
        this.reached = Buffer.concat([key, Buffer.of(0)])
        if (values === 'bare' || isIntact(key, value)) return
        run.onFault({
          place: name,
          key: Buffer.from(key),
          problem: 'A value does not match its checksum.',
        })
      },
    })
  }
}

/** How long requests wait, at most. */
const turnMs = 5
