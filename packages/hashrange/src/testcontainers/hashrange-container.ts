import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { containerPlan, type HashrangeContainerOptions } from './container-plan.ts'

/** What of Testcontainers is used. It is the user's own, and not needed by anybody else. */
interface Testcontainers {
  readonly GenericContainer: new (image: string) => Container
  readonly Wait: { forHttp(path: string, port: number): { forStatusCode(status: number): unknown } }
}

interface Container {
  withExposedPorts(port: number): Container
  withCommand(words: string[]): Container
  withEnvironment(environment: Record<string, string>): Container
  withCopyFilesToContainer(files: { source: string; target: string }[]): Container
  withCopyDirectoriesToContainer(folders: { source: string; target: string }[]): Container
  withWaitStrategy(strategy: unknown): Container
  start(): Promise<StartedContainer>
}

interface StartedContainer {
  getHost(): string
  getMappedPort(port: number): number
  getId(): string
  stop(): Promise<unknown>
}

/** A container that answers requests. */
export interface StartedHashrangeContainer {
  /** Such as `http://localhost:32768`. */
  readonly endpoint: string
  /** For any client of the AWS SDK: `new DynamoDBClient(container.clientConfig)`. */
  readonly clientConfig: {
    readonly endpoint: string
    readonly region: string
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  }
  /** Of the container, for Docker. */
  readonly id: string
  readonly stop: () => Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A server in a container, for tests that want one: `await new HashrangeContainer('hashrange').start()`. Needs the
 *  package `testcontainers`. */
export class HashrangeContainer {
  readonly #image: string
  readonly #options: HashrangeContainerOptions

  /** `docker build -t hashrange .` in a clone makes the image `hashrange`. */
  constructor(image: string, options: HashrangeContainerOptions = {}) {
    this.#image = image
    this.#options = options
  }

  async start(): Promise<StartedHashrangeContainer> {
    const { GenericContainer, Wait } = loadTestcontainers()
    const { port, readyPath, command, environment, files, credentials } = containerPlan(this.#options)
    const isFolder = ({ source }: { source: string }): boolean => statSync(source).isDirectory()
    const started = await new GenericContainer(this.#image)
      .withExposedPorts(port)
      .withCommand([...command])
      .withEnvironment({ ...environment })
      .withCopyFilesToContainer(files.filter((file) => !isFolder(file)))
      .withCopyDirectoriesToContainer(files.filter(isFolder))
      .withWaitStrategy(Wait.forHttp(readyPath, port).forStatusCode(200))
      .start()
    const endpoint = `http://${started.getHost()}:${started.getMappedPort(port)}`
    const stop = async (): Promise<void> => {
      await started.stop()
    }
    return {
      endpoint,
      clientConfig: { endpoint, region: 'us-east-1', credentials },
      id: started.getId(),
      stop,
      [Symbol.asyncDispose]: stop,
    }
  }
}

function loadTestcontainers(): Testcontainers {
  const require = createRequire(import.meta.url)
  try {
    const loaded: Testcontainers = require('testcontainers')
    return loaded
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'MODULE_NOT_FOUND'
    if (!isMissing) throw cause
    throw new Error('HashrangeContainer needs Testcontainers. Run: npm install --save-dev testcontainers', {
      cause,
    })
  }
}
