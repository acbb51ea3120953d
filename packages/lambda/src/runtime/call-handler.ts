import type { Call } from './runtime-client.ts'

export type Handler = (event: unknown, context: object, callback?: Callback) => unknown
type Callback = (error: unknown, result?: unknown) => void

/** Calls a handler, in whichever way it returns its result: as a promise, through its callback, or at once. */
export function callHandler(handler: Handler, call: Call): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const callback: Callback = (error, result) => {
      if (error === undefined || error === null) resolve(result)
      else reject(error)
    }
    // A handler that never calls back is done when nothing is left that could.
    process.once('beforeExit', () => resolve(null))
    const returned = handler(call.event, contextOf(call, callback), callback)
    if (isPromise(returned)) returned.then(resolve, reject)
    else if (handler.length < 3) resolve(returned)
  }).finally(() => process.removeAllListeners('beforeExit'))
}

function contextOf(call: Call, callback: Callback): object {
  const { env } = process
  return {
    functionName: env['AWS_LAMBDA_FUNCTION_NAME'],
    functionVersion: env['AWS_LAMBDA_FUNCTION_VERSION'],
    memoryLimitInMB: env['AWS_LAMBDA_FUNCTION_MEMORY_SIZE'],
    logGroupName: env['AWS_LAMBDA_LOG_GROUP_NAME'],
    logStreamName: env['AWS_LAMBDA_LOG_STREAM_NAME'],
    awsRequestId: call.requestId,
    invokedFunctionArn: call.functionArn,
    clientContext: call.clientContext,
    identity: undefined,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, call.deadlineMs - Date.now()),
    done: callback,
    succeed: (result: unknown) => callback(null, result),
    fail: (error: unknown) => callback(error ?? new Error('failed')),
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as Promise<unknown>).then === 'function'
}
