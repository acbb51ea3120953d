import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { hashrangeMain } from '../support/hashrange-main.ts'

/** A `hashrange start` of its own process, as a user runs it. Needs the build, which `npm test` makes first. */
export class ServerProcess {
  readonly endpoint: string
  readonly #process: ChildProcess

  private constructor(endpoint: string, child: ChildProcess) {
    this.endpoint = endpoint
    this.#process = child
  }

  /** `main` is what runs the command: another build than the present one. */
  static start(
    flags: readonly string[],
    main = hashrangeMain,
    errors: 'inherit' | 'ignore' = 'inherit',
  ): Promise<ServerProcess> {
    return ServerProcess.#run([process.execPath, main, 'start', '--port', '0', ...flags], errors)
  }

  /** One whose files can grow to a few megabytes and no further, as on a disk that is full. */
  static startOnFullDisk(flags: readonly string[]): Promise<ServerProcess> {
    // What counts as a block differs from shell to shell: 512 bytes or 1,024.
    const limited = ['sh', '-c', 'ulimit -S -f 16384; exec "$0" "$@"']
    return ServerProcess.#run(
      [...limited, process.execPath, hashrangeMain, 'start', '--port', '0', ...flags],
      'ignore',
    )
  }

  static async #run(
    [program = '', ...words]: readonly string[],
    errors: 'inherit' | 'ignore' = 'inherit',
  ): Promise<ServerProcess> {
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', errors] })
    running.add(child)
    child.once('exit', () => running.delete(child))
    const endpoint = await endpointOf(child)
    return new ServerProcess(endpoint, child)
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** Makes room on the disk that `startOnFullDisk` has limited, where the system can change a limit of another process. */
  makeRoom(): boolean {
    return spawnSync('prlimit', ['--pid', String(this.pid), '--fsize=unlimited:unlimited']).status === 0
  }

  async isReady(): Promise<boolean> {
    return (await fetch(`${this.endpoint}/ready`)).ok
  }

  /** Ends the process at once, as a crash does. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const gone = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await gone
  }

  async stop(): Promise<number | null> {
    const gone = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    const [code] = (await gone) as [number | null]
    return code
  }

  /** One request of the API. A refusal is thrown with its type as the error's name; so is a lost connection. */
  async call<Answer>(operation: string, body: object, region = 'us-east-1'): Promise<Answer> {
    const response = await fetch(this.endpoint, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-amz-json-1.0',
        'X-Amz-Target': `DynamoDB_20120810.${operation}`,
        'X-Amz-Date': '20260101T000000Z',
        Authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
      },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as { __type?: string; message?: string }
    if (response.ok) return answer as Answer
    throw Object.assign(new Error(`${response.status} ${answer.__type}: ${answer.message}`), {
      name: answer.__type?.split('#').at(-1) ?? 'Error',
      status: response.status,
      answer,
    })
  }
}

/** A test that fails must not leave its servers behind. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** The address stands in what the server prints when it is ready. */
async function endpointOf(child: ChildProcess): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const [endpoint] = /http:\/\/[\d.]+:\d+/.exec(printed) ?? []
      if (endpoint !== undefined) resolve(endpoint)
    })
    child.once('exit', (code) => reject(new Error(`hashrange start ended with ${code}; it printed: ${printed}`)))
  })
}
