import { basename, dirname, extname } from 'node:path'
import { functionEnvironment, type FunctionCredentials } from './function-environment.ts'
import { functionArn, type LambdaFunction } from './lambda-function.ts'
import { findHandlerFile } from './handler-file.ts'
import { InProcessRunner } from './in-process-runner.ts'
import { ProcessRunner } from './process-runner.ts'
import type { Runner } from './runner.ts'
import type { SandboxSettings } from './sandbox.ts'
import { UrlRunner } from './url-runner.ts'

/** How functions are run on this machine. */
export interface RunnersOptions {
  /** The program that runs files in JavaScript and TypeScript; without it, none can be run. */
  readonly node?: NodeRuntime | undefined
  /** Where this server listens. */
  readonly endpoint: () => Promise<string>
  readonly credentials: (called: LambdaFunction) => Promise<FunctionCredentials>
  /** The folder into which the package of a function was unpacked. */
  readonly unpack: (called: LambdaFunction) => Promise<string>
  /** Called with every line that functions print. */
  readonly print: (called: LambdaFunction, line: string) => Promise<void> | undefined
}

export interface NodeRuntime {
  readonly command: (memoryMb: number) => readonly string[]
  /** Changes when a file changes, or one that it imports. */
  readonly versionOf: (file: string) => Promise<string>
}

/** One runner for each function, as long as the function stays the same. */
export class Runners {
  readonly #options: RunnersOptions
  readonly #runners = new Map<string, { readonly revision: string; readonly runner: Runner }>()

  constructor(options: RunnersOptions) {
    this.#options = options
  }

  of(called: LambdaFunction): Runner {
    const arn = functionArn(called.scope, called.name)
    const known = this.#runners.get(arn)
    if (known?.revision === called.revision) return known.runner
    void known?.runner.close()
    const runner = this.#open(called)
    this.#runners.set(arn, { revision: called.revision, runner })
    return runner
  }

  forget(called: Pick<LambdaFunction, 'scope' | 'name'>): void {
    const arn = functionArn(called.scope, called.name)
    void this.#runners.get(arn)?.runner.close()
    this.#runners.delete(arn)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#runners.values()].map(({ runner }) => runner.close()))
    this.#runners.clear()
  }

  #open(called: LambdaFunction): Runner {
    const { code, concurrency } = called
    switch (code.kind) {
      case 'handler':
        return new InProcessRunner(called.name, code.handler)
      case 'url':
        return new UrlRunner(code.url, called.timeoutSeconds * 1000)
      case 'command':
        return new ProcessRunner({
          concurrency,
          sandbox: () =>
            this.#sandbox(called, { command: code.command, folder: code.folder, handler: '', runtime: 'provided' }),
        })
      case 'file': {
        const { path, exportName } = code
        return new ProcessRunner({
          concurrency,
          sandbox: () => this.#nodeSandbox(called, path, exportName, dirname(path)),
          version: () => this.#node().versionOf(path),
        })
      }
      case 'stored':
        return new ProcessRunner({ concurrency, sandbox: async () => this.#storedSandbox(called) })
    }
  }

  async #storedSandbox(called: LambdaFunction): Promise<SandboxSettings> {
    if (called.code.kind !== 'stored') throw new Error('the function is not in the store')
    const { runtime, handler } = called.code.record
    const folder = await this.#options.unpack(called)
    if (runtime.startsWith('nodejs')) {
      const { path, exportName } = await findHandlerFile(folder, handler)
      return this.#nodeSandbox(called, path, exportName, folder)
    }
    if (runtime.startsWith('python')) {
      const command = ['python3', '-m', 'awslambdaric', handler]
      const settings = await this.#sandbox(called, { command, folder, handler, runtime })
      const path = [folder, settings.environment['PYTHONPATH']].filter(Boolean).join(':')
      return { ...settings, environment: { ...settings.environment, PYTHONPATH: path, PYTHONUNBUFFERED: '1' } }
    }
    return this.#sandbox(called, { command: ['./bootstrap'], folder, handler, runtime })
  }

  async #nodeSandbox(
    called: LambdaFunction,
    path: string,
    exportName: string,
    folder: string,
  ): Promise<SandboxSettings> {
    const handler = `${basename(path, extname(path))}.${exportName}`
    const command = this.#node().command(called.memoryMb)
    const runtime = `nodejs${process.versions.node.split('.', 1)[0]}.x`
    const settings = await this.#sandbox(called, { command, folder, handler, runtime })
    return {
      ...settings,
      environment: { ...settings.environment, HASHRANGE_HANDLER_FILE: path, HASHRANGE_HANDLER_EXPORT: exportName },
    }
  }

  async #sandbox(
    called: LambdaFunction,
    how: {
      readonly command: readonly string[]
      readonly folder: string
      readonly handler: string
      readonly runtime: string
    },
  ): Promise<SandboxSettings> {
    const { endpoint, credentials, print } = this.#options
    const { command, ...about } = how
    return {
      command,
      folder: how.folder,
      environment: functionEnvironment({
        called,
        endpoint: await endpoint(),
        credentials: await credentials(called),
        ...about,
      }),
      timeoutMs: called.timeoutSeconds * 1000,
      memoryBytes: called.memoryMb * 1024 ** 2,
      print: (line) => print(called, line),
    }
  }

  #node(): NodeRuntime {
    const { node } = this.#options
    if (node === undefined) throw new Error('JavaScript cannot be run here.')
    return node
  }
}
