import { afterAll, beforeAll, expect, vi } from 'vitest'

/** Test files share processes. What one leaves behind there, such as a variable of the environment or a server, another one
 *  may stumble over, depending on the order: so the file that leaves it fails. */
let environment: NodeJS.ProcessEnv
let folder: string
let resources: string

beforeAll(() => {
  environment = { ...process.env }
  folder = process.cwd()
  resources = openResources()
})

// A server that was closed is gone some turns later.
afterAll(() =>
  vi.waitFor(() => expect(leftBehind(), 'what this file leaves behind in its process').toEqual([]), {
    timeout: 30_000,
    interval: 10,
  }),
)

function leftBehind(): string[] {
  const names = Object.keys({ ...environment, ...process.env })
  const left = names.filter((name) => process.env[name] !== environment[name])
  if (process.cwd() !== folder) left.push(`the folder ${process.cwd()}`)
  if (process.exitCode !== undefined) left.push(`the exit code ${process.exitCode}`)
  if (openResources() !== resources) left.push(`open: ${openResources()} (before: ${resources})`)
  if (vi.isFakeTimers()) left.push('fake timers')
  for (const [object, name] of oftenMocked) {
    if (vi.isMockFunction(Reflect.get(object, name))) left.push(`a mock of ${name}`)
  }
  return left
}

/** Servers, and files that are watched. */
function openResources(): string {
  const kinds = process.getActiveResourcesInfo().filter((kind) => /Server|FSEvent/.test(kind))
  return kinds.toSorted().join(', ') || 'nothing'
}

const oftenMocked = [
  [console, 'log'],
  [console, 'error'],
  [console, 'warn'],
  [process.stdout, 'write'],
  [process.stderr, 'write'],
  [Date, 'now'],
  [globalThis, 'fetch'],
] as const
