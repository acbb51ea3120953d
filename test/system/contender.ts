import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** What a contender runs: each line it is sent is done and answered with one line. */
const program = `
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { openLmdbStore } from '@hashrange/engine'
let store
const commands = {
  open: async (path) => {
    try {
      store = await openLmdbStore({ path })
      return 'opened'
    } catch (error) {
      return error.code + ': ' + error.message
    }
  },
  close: async () => {
    await store.close()
    return 'closed'
  },
  beget: async () => {
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
    return String(child.pid)
  },
}
for await (const line of createInterface({ input: process.stdin })) {
  const [command, ...words] = line.split(' ')
  console.log(await commands[command](words.join(' ')))
}
// Whoever started it is gone.
process.exit()
`

/** A process that opens data folders when it is told to. Needs the build, which `npm test` makes first. */
export class Contender {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>
  readonly #answers: AsyncIterator<string>

  /** Runs under another program, if there is one: `unshare --pid --fork`. */
  constructor(under: readonly string[] = [], environment: NodeJS.ProcessEnv = process.env) {
    const [command, ...words] = [...under, process.execPath, '--input-type=module', '--eval', program]
    this.#process = spawn(command, words, {
      // The packages are found from here.
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: environment,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const lines: Interface = createInterface({ input: this.#process.stdout })
    this.#answers = lines[Symbol.asyncIterator]()
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** "opened", or the code and the message of the refusal. */
  open(path: string): Promise<string> {
    return this.#ask(`open ${path}`)
  }

  close(): Promise<string> {
    return this.#ask('close')
  }

  /** Starts a process that goes on when this one ends, and tells its id. */
  async beget(): Promise<number> {
    return Number(await this.#ask('beget'))
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal)
  }

  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const gone = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await gone
  }

  async #ask(line: string): Promise<string> {
    this.#process.stdin.write(`${line}\n`)
    const { value, done } = await this.#answers.next()
    if (done === true) throw new Error(`The contender is gone; it was asked: ${line}`)
    return value
  }
}
