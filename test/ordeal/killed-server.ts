import { setTimeout as pause } from 'node:timers/promises'
import { ApiClient } from '../support/api-client.ts'
import { HashrangeProcess } from '../support/hashrange-process.ts'

/** A server that is killed and started again under those who use it. */
export class KilledServer {
  readonly #flags: readonly string[]
  readonly #clients = new Map<string, ApiClient>()
  #process: HashrangeProcess | undefined
  #port = 0

  constructor(flags: readonly string[]) {
    this.#flags = flags
  }

  get port(): number {
    return this.#port
  }

  async start(): Promise<void> {
    this.#process = HashrangeProcess.start([...this.#flags, '--port', '0', '--no-workbench'])
    this.#port = await this.#process.ready()
    for (const client of this.#clients.values()) client.close()
    this.#clients.clear()
  }

  async kill(): Promise<void> {
    const { code } = (await this.#process?.kill().then(() => this.#process?.ended)) ?? {}
    if (typeof code === 'number') throw new Error(`the server ended by itself: ${this.#process?.printed}`)
  }

  async stop(): Promise<void> {
    for (const client of this.#clients.values()) client.close()
    await this.#process?.kill()
  }

  /** Until it is answered, however often the server dies. Everybody has a connection of their own. */
  async call<Answer>(operation: string, input: object, who = ''): Promise<Answer> {
    for (;;) {
      let client = this.#clients.get(who)
      if (client === undefined)
        this.#clients.set(who, (client = new ApiClient({ port: this.#port, timeoutMs: 30_000 })))
      try {
        return await client.call<Answer>(operation, input)
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'NoAnswer') throw error
        await pause(50)
      }
    }
  }
}
