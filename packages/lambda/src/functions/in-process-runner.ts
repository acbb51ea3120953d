import { failed, type Invocation, type Invoked, type Runner } from './runner.ts'

/** A handler in this process, as tests have them. */
export type InProcessHandler = (event: never, context: HandlerContext) => unknown

export interface HandlerContext {
  readonly awsRequestId: string
  readonly functionName: string
  readonly invokedFunctionArn: string
}

/** Calls a function of this process. */
export class InProcessRunner implements Runner {
  readonly #name: string
  readonly #handler: InProcessHandler
  /** The last error that the handler has thrown, as it was thrown. */
  lastError: unknown

  constructor(name: string, handler: InProcessHandler) {
    this.#name = name
    this.#handler = handler
  }

  async invoke({ payload, requestId, functionArn }: Invocation): Promise<Invoked> {
    const context = { awsRequestId: requestId, functionName: this.#name, invokedFunctionArn: functionArn }
    try {
      const event = JSON.parse(payload.toString('utf8')) as never
      const result = (await this.#handler(event, context)) ?? null
      return { payload: Buffer.from(JSON.stringify(result) ?? 'null'), log: Buffer.alloc(0) }
    } catch (error) {
      this.lastError = error
      return error instanceof Error ? failed(error.name, error.message) : failed('Error', String(error))
    }
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
