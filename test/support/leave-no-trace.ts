import { afterAll, beforeAll, expect, vi } from 'vitest'

/** Test files share processes. What one leaves behind there, such as a variable of the environment or a server, another one
 *  may stumble over, depending on the order: so the file that leaves it fails. */
let before: ReturnType<typeof traces>
beforeAll(() => void (before = traces()))
// A server that was closed is gone some turns later.
afterAll(() =>
  vi.waitFor(() => expect(traces(), 'what this file leaves behind in its process').toEqual(before), {
    timeout: 5_000,
    interval: 10,
  }),
)

function traces() {
  return {
    environment: { ...process.env },
    folder: process.cwd(),
    exitCode: process.exitCode,
    globals: Object.keys(globalThis).filter((name) => !madeByLibraries.has(name)),
    listeners: events.map((event) => `${event} ${process.listenerCount(event)}`),
    resources: process.getActiveResourcesInfo().filter((kind) => /Server|FSEvent/.test(kind)),
    mocked: functions().filter((one) => vi.isMockFunction(one)),
    hasFakeTimers: vi.isFakeTimers(),
  }
}

/** Of the AWS SDK, when it is first used. */
const madeByLibraries: ReadonlySet<string> = new Set(['awslambda'])

const events = ['SIGHUP', 'SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection'] as const

function functions() {
  const { log, error, warn } = console
  return [log, error, warn, process.stdout.write, process.stderr.write, Date.now, fetch]
}
