import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchContext } from '../measure/bench-context.ts'
import { freePort, ServerProcess } from './server-process.ts'

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

/** A server, and the region that it serves. */
export type RegionalServer = ServerProcess & { readonly region: string }

/** Two servers with stores of their own, in two regions, each linked to the other. */
export async function startLinkedServers(
  context: BenchContext,
  path: string,
): Promise<readonly [here: RegionalServer, there: RegionalServer]> {
  const regions = [
    { region: 'us-east-1', port: await freePort() },
    { region: 'eu-west-1', port: await freePort() },
  ] as const
  const [first, second] = regions
  const start = async (
    { region, port }: { readonly region: string; readonly port: number },
    other: { readonly region: string; readonly port: number },
  ): Promise<RegionalServer> => {
    const link = `${other.region}=http://127.0.0.1:${other.port}`
    const flags = ['--path', join(path, region), '--region', region, '--replicate', link]
    return Object.assign(await startOn(context, port, ...flags), { region })
  }
  return Promise.all([start(first, second), start(second, first)])
}

function startWith(context: BenchContext, ...flags: readonly string[]): Promise<ServerProcess> {
  return startOn(context, undefined, ...flags)
}

function startOn(
  { resources, options }: BenchContext,
  givenPort: number | undefined,
  ...flags: readonly string[]
): Promise<ServerProcess> {
  const main = fileURLToPath(new URL('../../../packages/hashrange/dist/main.js', import.meta.url))
  const profile = options.profileFolder === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', options.profileFolder]
  return ServerProcess.start(
    'hashrange',
    (port) => [...profile, main, 'start', '--port', String(port), ...flags],
    (kill) => resources.add(kill),
    givenPort,
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
