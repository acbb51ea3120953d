import { consoleLogger, serve, type Route } from '@hashrange/server'
import { declaredConnections } from './workbench/connections/declared-connections.ts'
import { describeConnection, readConnection } from './workbench/connections/connection.ts'
import type { DeclaredConnection } from './config/declared-connection.ts'
import { readConnectionFlags } from './connection-flags.ts'
import { readConfig } from './config/read-config.ts'
import { configOf } from './config/config-file.ts'
import { openEngine } from './open-engine.ts'
import { refusal } from './local-answers.ts'
import { stopOnSignals } from './stop-on-signals.ts'
import { createWorkbench } from './workbench/create-workbench.ts'
import { isWorkbenchToken, newWorkbenchToken } from './workbench-token.ts'
import { Mistake } from './mistake.ts'
import { readFlags } from './commands/read-flags.ts'
import { serverFlags } from './commands/trust-issuer.ts'
import { requireProfile } from './commands/use-profile.ts'

const help = `hashrange workbench: opens the workbench for other databases, without one of its own: AWS, DynamoDB Local, or other
hashrange servers. It only listens on this machine, and runs until you stop it.

  --profile NAME        an AWS profile, with SSO, roles or keys: aws configure list-profiles
  --region REGION       the region to show first; the profile's by default
  --endpoint URL        the address of a server, such as http://127.0.0.1:8000. With --profile, its credentials are used
  --access-key ID       whose tables to show on a server that accepts any key; local by default
  --connect NAME=PLACE  HASHRANGE_CONNECT   a database to show: NAME=http://…, NAME=aws:PROFILE or NAME=aws:PROFILE@REGION;
                                            can be given more than once
  --config FILE         HASHRANGE_CONFIG    a file that declares connections; by default, hashrange.config.ts, .js, .mjs or
                                            .json in this folder
  --read-only                               do not let the workbench change anything, anywhere
  --model FILE|FOLDER                       a model to show, or a folder where the page can load and save models; can be
                                            given more than once
  --edit-models                             let the page change the model files that it shows; whoever can open it can then run
                                            code on this machine
  --port 8100           HASHRANGE_PORT      port to listen on; 0 picks a free one
  --ca FILE                                 trust servers with certificates from these issuers (PEM)

AWS is read-only until you switch on writing in the page. Credentials stay in this process: the page never sees them.`

const flags = {
  profile: { type: 'string' },
  region: { type: 'string' },
  endpoint: { type: 'string' },
  'access-key': { type: 'string' },
  connect: { type: 'string', multiple: true },
  config: { type: 'string' },
  'read-only': { type: 'boolean' },
  model: { type: 'string', multiple: true },
  'edit-models': { type: 'boolean' },
  port: { type: 'string' },
  ...serverFlags,
  help: { type: 'boolean', short: 'h' },
} as const

type Values = ReturnType<typeof readFlags<typeof flags>>

const host = '127.0.0.1'

/** Runs `hashrange workbench`, and returns an exit code if it does not start: 1 for a failure, 2 for a mistake. */
export async function runWorkbench(words: readonly string[]): Promise<number | undefined> {
  try {
    const values = readFlags('workbench', words, flags)
    if (values.help === true) {
      console.log(help)
      return 0
    }
    await open(values)
    return undefined
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    const words = error instanceof Error ? error.message : String(error)
    console.error(
      `hashrange: ${isTaken ? 'The port is already in use. Choose another one with --port, such as --port 8101.' : words}`,
    )
    return error instanceof Mistake ? 2 : 1
  }
}

async function open(values: Values): Promise<void> {
  const port = readPort(values.port ?? setting('HASHRANGE_PORT') ?? '8100')
  const connections = await connectionsOf(values)
  const token = setting('HASHRANGE_WORKBENCH_TOKEN') ?? newWorkbenchToken()
  if (!isWorkbenchToken(token)) {
    throw new Mistake('HASHRANGE_WORKBENCH_TOKEN must be 16 to 256 letters, digits, - and _.')
  }
  const { engine } = await openEngine({ kind: 'memory' })
  try {
    const workbench = createWorkbench(engine, {
      token,
      host,
      hasDatabase: false,
      connections,
      readOnly: values['read-only'] ?? false,
      models: values.model ?? [],
      editModels: values['edit-models'] ?? false,
      logger: consoleLogger,
    })
    const server = await serve(engine, { host, port, routes: [workbench, nothingElse] })
    stopOnSignals(
      async () => {
        await server.close()
        await engine.close()
      },
      (error) => console.error(`hashrange: ${String(error)}`),
    )
    const address = `http://${host}:${server.port}/_workbench/#token=`
    console.log(
      setting('HASHRANGE_WORKBENCH_TOKEN') === undefined
        ? `The workbench is at ${address}${token}`
        : `The workbench is at ${address}, followed by the value of HASHRANGE_WORKBENCH_TOKEN.`,
    )
    console.log(shown(connections))
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** There is no database whose API could be served. */
const nothingElse: Route = async () =>
  refusal(
    404,
    'This is a workbench without a database. Open it at /_workbench/; hashrange start serves a database.',
  )

async function connectionsOf(values: Values): Promise<Readonly<Record<string, DeclaredConnection>>> {
  const named = readConnectionFlags(values, setting)
  if ('mistake' in named) throw new Mistake(named.mistake)
  const file = configOf({ config: values.config ?? setting('HASHRANGE_CONFIG') })
  const configured = file === undefined ? {} : (await readConfig(file)).connections
  const { profile, endpoint, region, 'access-key': accessKeyId } = values
  if (profile === undefined && endpoint === undefined) {
    if (region !== undefined || accessKeyId !== undefined) {
      throw new Mistake('--region and --access-key only work with --profile or --endpoint. Add one of these.')
    }
    return declaredConnections(named, configured)
  }
  if (profile !== undefined) requireProfile(profile)
  const typed: DeclaredConnection = { profile, endpoint, region, accessKeyId }
  return declaredConnections(named, { [nameOf(typed)]: typed, ...configured })
}

function nameOf({ profile, endpoint = '' }: DeclaredConnection): string {
  const text = profile ?? (URL.canParse(endpoint) ? new URL(endpoint).host : 'server')
  return (
    text
      .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 40) || 'server'
  )
}

function shown(connections: Readonly<Record<string, DeclaredConnection>>): string {
  const lines = Object.entries(connections).map(([name, declared]) => {
    const { place, region, writing } = describeConnection(readConnection(name, declared), true)
    return `  ${name}: ${place}, ${region}${writing === 'allowed' ? '' : ', read-only'}`
  })
  const list =
    lines.length === 0 ? ['It has no database yet: add a connection in the page.'] : ['It shows:', ...lines]
  return [...list, 'Press Ctrl+C to stop.'].join('\n')
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new Mistake(`"${text}" is not a port. A port is a number from 0 to 65535; 0 picks a free one.`)
}

function setting(name: string): string | undefined {
  return process.env[name] || undefined
}
