import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiClient } from '../../support/api-client.ts'
import { HashrangeProcess } from '../../support/hashrange-process.ts'

const preload = new URL('shift-clock.mjs', import.meta.url)

/** A `hashrange start` on a machine of its own, as far as the clock on the wall goes. */
export class ShiftedServer {
  readonly process: HashrangeProcess
  readonly #folder: string
  #shiftMs: number

  /** The clock is `shiftMs` ahead of this machine's. */
  constructor(flags: readonly string[], shiftMs: number) {
    this.#folder = mkdtempSync(join(tmpdir(), 'hashrange-clock-'))
    this.#shiftMs = shiftMs
    this.setClock(shiftMs)
    const url = new URL(preload)
    url.searchParams.set('file', this.#file)
    this.process = HashrangeProcess.start(
      ['--no-workbench', '--port', '0', '--shared', ...flags],
      ['--import', url.href],
    )
  }

  get nowMs(): number {
    return Date.now() + this.#shiftMs
  }

  get printed(): string {
    return this.process.printed
  }

  setClock(shiftMs: number): void {
    this.#shiftMs = shiftMs
    // Never seen half written.
    writeFileSync(`${this.#file}.new`, String(shiftMs))
    renameSync(`${this.#file}.new`, this.#file)
  }

  async call<Answer = unknown>(operation: string, input: object): Promise<Answer> {
    const client = new ApiClient({ port: await this.process.ready(), timeoutMs: 30_000 })
    try {
      return await client.call<Answer>(operation, input)
    } finally {
      client.close()
    }
  }

  async stop(): Promise<void> {
    await this.process.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #file(): string {
    return join(this.#folder, 'shift-ms')
  }
}
