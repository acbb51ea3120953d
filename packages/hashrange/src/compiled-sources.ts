import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Files of sources that were compiled before. The compiler takes longer to load than most programs take to run. */
export class CompiledSources {
  readonly #folder: string | undefined
  readonly #compiler: string
  readonly #most: number

  /** Of one version of the compiler. Without a folder, nothing is kept. */
  constructor(folder: string | undefined, compiler: string, most = 500) {
    this.#folder = folder
    this.#compiler = compiler
    this.#most = most
  }

  /** What `compile` returns for this source, now or before. It is kept if it is sound. */
  of(source: string, compile: () => string, isSound: (compiled: string) => boolean): string {
    if (this.#folder === undefined) return compile()
    const file = join(
      this.#folder,
      `${createHash('sha256').update(`${this.#compiler}\0${source}`).digest('hex')}.js`,
    )
    const kept = readIfThere(file)
    if (kept !== undefined) return kept
    const compiled = compile()
    if (!isSound(compiled)) return compiled
    // If it cannot be kept, for lack of room or permission, it is compiled again the next time.
    try {
      mkdirSync(this.#folder, { recursive: true })
      // Another process may be reading it.
      const partial = `${file}.${process.pid}`
      writeFileSync(partial, compiled)
      renameSync(partial, file)
      this.#removeOldest(this.#folder)
    } catch {}
    return compiled
  }

  #removeOldest(folder: string): void {
    const files = readdirSync(folder).map((name) => join(folder, name))
    if (files.length <= this.#most) return
    const byAge = files.map((file) => ({ file, mtimeMs: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    byAge.sort((one, other) => one.mtimeMs - other.mtimeMs)
    for (const { file } of byAge.slice(0, files.length - this.#most)) rmSync(file, { force: true })
  }
}

/** `node_modules/.cache/hashrange/compiled` where this package is installed: whoever can write there can change the package, too. */
export function cacheFolderOf(file: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const modules = basename(folder) === 'node_modules' ? folder : join(folder, 'node_modules')
    if (existsSync(modules)) return join(modules, '.cache', 'hashrange', 'compiled')
  }
  return undefined
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
