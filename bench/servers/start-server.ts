import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchContext } from '../measure/bench-context.ts'
import { ServerProcess } from './server-process.ts'

const { resolve } = createRequire(import.meta.url)

/** Ours, durable, as `hashrange start --path …`. */
export function startHashrange(
  context: BenchContext,
  path: string,
  ...flags: readonly string[]
): Promise<ServerProcess> {
  return startWith(context, '--path', path, ...flags)
}

/** Ours on a PostgreSQL, as `hashrange start --store …`. */
export function startHashrangeOn(context: BenchContext, store: string): Promise<ServerProcess> {
  return startWith(context, '--store', store)
}

function startWith({ resources, options }: BenchContext, ...flags: readonly string[]): Promise<ServerProcess> {
  const main = fileURLToPath(new URL('../../../packages/hashrange/dist/main.js', import.meta.url))
  const profile = options.profileFolder === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', options.profileFolder]
  return ServerProcess.start(
    'hashrange',
    (port) => [...profile, main, 'start', '--port', String(port), ...flags],
    (kill) => resources.add(kill),
  )
}

/** Ours, durable, with its metering on or off. */
export function startMetering(
  { resources }: BenchContext,
  path: string,
  metering: 'on' | 'off',
): Promise<ServerProcess> {
  const main = fileURLToPath(new URL('metering-process.js', import.meta.url))
  return ServerProcess.start(
    'hashrange',
    (port) => [main, String(port), path, metering],
    (kill) => resources.add(kill),
  )
}

/** The peer, in memory, as is its default. Its pause before a new table can be used is left out. */
export function startDynalite({ resources }: BenchContext): Promise<ServerProcess> {
  const main = join(dirname(resolve('dynalite/package.json')), 'cli.js')
  return ServerProcess.start(
    'dynalite',
    (port) => [main, '--host', '127.0.0.1', '--port', String(port), '--createTableMs', '0'],
    (kill) => resources.add(kill),
  )
}

/** The limit: bare node:http that answers with the bytes in `answersFile`. */
export function startEcho({ resources }: BenchContext, answersFile: string): Promise<ServerProcess> {
  const main = fileURLToPath(new URL('echo-process.js', import.meta.url))
  return ServerProcess.start(
    'echo',
    (port) => [main, String(port), answersFile],
    (kill) => resources.add(kill),
  )
}
