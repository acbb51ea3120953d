import { ServiceError } from '@hashrange/core'
import { Engine } from '../engine.ts'
import type { EngineOptions } from '../engine-options.ts'
import type { Store } from '../store/store.ts'
import { toPlain } from '../wire/raw-json.ts'
import { openSharedTestStore } from './open-test-store.ts'
import { testScope } from './test-engine.ts'

type Plain = Readonly<Record<string, unknown>>

/** One of several servers of one store. */
export interface TestServer {
  readonly engine: Engine
  readonly backgroundErrors: readonly unknown[]
  readonly run: <T = Plain>(operation: string, input: object) => Promise<T>
  readonly stream: <T = Plain>(operation: string, input: object) => Promise<T>
  /** The code of the error with which an operation is refused. */
  readonly refusal: (operation: string, input: object) => Promise<string>
}

/** Opens servers one after the other on one store. */
export class TestServers {
  readonly #openStore: () => Promise<Store>
  readonly #servers: TestServer[] = []

  private constructor(openStore: () => Promise<Store>) {
    this.#openStore = openStore
  }

  static async begin(): Promise<TestServers> {
    return new TestServers(await openSharedTestStore())
  }

  /** For a server that has it through something else. */
  openStore(): Promise<Store> {
    return this.#openStore()
  }

  async open(options: Partial<EngineOptions> = {}): Promise<TestServer> {
    const backgroundErrors: unknown[] = []
    const engine = await Engine.open({
      store: options.store ?? (await this.#openStore()),
      onBackgroundError: (error) => backgroundErrors.push(error),
      ...options,
    })
    const execute = async <T>(target: Target, operation: string, input: object): Promise<T> =>
      toPlain((await engine.execute(testScope, target, operation, input)) ?? {}) as T
    const server: TestServer = {
      engine,
      backgroundErrors,
      run: (operation, input) => execute('DynamoDB_20120810', operation, input),
      stream: (operation, input) => execute('DynamoDBStreams_20120810', operation, input),
      refusal: async (operation, input) => {
        try {
          await execute('DynamoDB_20120810', operation, input)
        } catch (error) {
          if (error instanceof ServiceError) return error.code
          throw error
        }
        throw new Error('the operation was not refused')
      },
    }
    this.#servers.push(server)
    return server
  }

  /** Closes one of them before the others. */
  async end(server: TestServer): Promise<void> {
    this.#servers.splice(this.#servers.indexOf(server), 1)
    await server.engine.close()
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map(({ engine }) => engine.close()))
  }
}

type Target = 'DynamoDB_20120810' | 'DynamoDBStreams_20120810'
