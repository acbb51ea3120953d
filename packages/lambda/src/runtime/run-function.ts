import { Worker } from 'node:worker_threads'
import { callHandler, type Handler } from './call-handler.ts'
import { RuntimeClient } from './runtime-client.ts'

/** What a process that runs a function in JavaScript or TypeScript does: it loads the handler, and takes one call after
 *  the other, until the server is gone. */
export async function runFunction(
  load: (file: string) => Promise<Readonly<Record<string, unknown>>>,
): Promise<void> {
  endWithParent()
  const client = new RuntimeClient(process.env['AWS_LAMBDA_RUNTIME_API'] ?? '')
  const { HASHRANGE_HANDLER_FILE: file = '', HASHRANGE_HANDLER_EXPORT: name = 'handler' } = process.env
  // The function has nothing to do with how it is started.
  delete process.env['HASHRANGE_HANDLER_FILE']
  delete process.env['HASHRANGE_HANDLER_EXPORT']
  let current: string | undefined
  const crash = (error: unknown): void => {
    console.error(error)
    const told = current === undefined ? client.initError(error) : client.error(current, error)
    void told.finally(() => process.exit(1))
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  let handler: Handler
  try {
    handler = handlerIn(await load(file), file, name)
  } catch (error) {
    console.error(error)
    await client.initError(error)
    process.exit(1)
  }
  for (;;) {
    const call = await client.next()
    current = call.requestId
    try {
      await client.response(current, await callHandler(handler, call))
    } catch (error) {
      console.error(error)
      await client.error(current, error)
    }
    current = undefined
  }
}

function handlerIn(exported: Readonly<Record<string, unknown>>, file: string, name: string): Handler {
  const found = lookUp(exported, name) ?? lookUp(exported['default'], name)
  if (typeof found === 'function') return found as Handler
  const error = new Error(`${file} does not export a function ${name}.`)
  error.name = 'Runtime.HandlerNotFound'
  throw error
}

/** `handlers.onOrder` is a member of an export. */
function lookUp(from: unknown, name: string): unknown {
  let value: unknown = from
  for (const part of name.split('.')) {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
    value = (value as Readonly<Record<string, unknown>>)[part]
  }
  return value
}

/** A function that loops outlives a server that was killed. A thread of its own sees that the parent is gone. */
function endWithParent(): void {
  const program = `
    const { parent } = require('node:worker_threads').workerData
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL') }, 500)`
  new Worker(program, { eval: true, workerData: { parent: process.ppid } }).unref()
}
