import { afterAll, beforeAll, expect, vi } from 'vitest'

/** Test files share processes. What one leaves behind there, such as a variable of the environment or a server, another one
 *  may stumble over, depending on the order: so the file that leaves it fails. */
let before: ReturnType<typeof traces>
beforeAll(() => void (before = traces()))
// A server that was closed is gone some turns later.
afterAll(() =>
  vi.waitFor(() => expect(traces(), 'what this file leaves behind in its process').toEqual(before), {
    timeout: 30_000,
    interval: 10,
  }),
)

function traces() {
  return {
    environment: { ...process.env },
    folder: process.cwd(),
    exitCode: process.exitCode,
    resources: process.getActiveResourcesInfo().filter((kind) => /Server|FSEvent/.test(kind)),
    mocked: functions.flatMap(([object, names]) => names.filter((name) => isMocked(object, name))),
    hasFakeTimers: vi.isFakeTimers(),
  }
}

const functions = [
  [console, ['log', 'error', 'warn']],
  [process.stdout, ['write']],
  [process.stderr, ['write']],
  [Date, ['now']],
  [globalThis, ['fetch']],
] as const

function isMocked(object: object, name: string): boolean {
  return vi.isMockFunction(Reflect.get(object, name))
}
