import type { Lambda, LambdaOptions } from '@hashrange/lambda'
import { webhookSender } from '@hashrange/monitoring'
import { isLoopback } from '@hashrange/server'
import { configOf } from '../config/config-file.ts'
import { settingAdvice } from '../setting-advice.ts'
import type { Declared } from './declared-functions.ts'
import type { FunctionSettings } from './function-flags.ts'
import { nodeRuntime } from './node-runtime.ts'

/** Who can reach the server, and whether they may send code. */
interface Reach {
  readonly host: string
  readonly auth?: boolean | undefined
  readonly functionUploads?: boolean | undefined
}

/** Where the server listens, as soon as it does. Functions wait for it, so that their SDK does not find AWS instead. */
export class Listening {
  readonly #endpoint: Promise<string>
  #say: ((endpoint: string) => void) | undefined

  constructor() {
    this.#endpoint = new Promise((resolve) => (this.#say = resolve))
  }

  at(endpoint: string): void {
    this.#say?.(endpoint)
  }

  readonly endpoint = (): Promise<string> => this.#endpoint
}

/** How a server that was started by the command runs functions. */
export function functionOptions(
  settings: Reach,
  { endpoint }: Listening,
  webhooks: readonly string[] | undefined,
): LambdaOptions {
  const advice = settingAdvice('command')
  return {
    node: nodeRuntime(),
    isClosed: settings.auth === true,
    endpoint,
    whyNoUploads: whyNoUploads(settings),
    urls: webhookSender({ webhooks, adviceOn: (prefix) => advice.ofReceiver(prefix) }),
    print: printLine,
  }
}

/** Standard output that is a pipe takes everything at once, and keeps it in memory until somebody reads it. */
function printLine(name: string, line: string): Promise<void> | undefined {
  console.log(`${name} | ${line}`)
  if (!process.stdout.writableNeedDrain) return undefined
  drained ??= new Promise((resolve) => {
    const done = (): void => {
      process.stdout.off('drain', done)
      process.stdout.off('close', done)
      drained = undefined
      resolve()
    }
    process.stdout.once('drain', done)
    process.stdout.once('close', done)
  })
  return drained
}

let drained: Promise<void> | undefined

/** Code that is sent to the server runs with the rights of the server. So it is taken from this machine alone; and from
 *  others if they are verified, and the operator wants it. */
function whyNoUploads({ host, auth, functionUploads }: Reach): string | undefined {
  if (isLoopback(host) || host === 'localhost') return undefined
  if (auth !== true)
    return 'This server does not run uploaded code, because anyone on other machines could upload some. Declare the function with --function, or close the server with --auth and add --function-uploads.'
  if (functionUploads === true) return undefined
  return 'This server does not run uploaded code, because other machines can reach it. Declare the function with --function, or start the server with --function-uploads.'
}

/** What flags and the configuration file declare. A start without them need not load what reads them. */
export async function functionsOf(settings: FunctionSettings): Promise<Declared> {
  const { functions, triggers } = settings
  const config = configOf(settings)
  if (functions === undefined && triggers === undefined && config === undefined)
    return { functions: [], triggers: [], connections: {} }
  const { declaredFunctions } = await import('./declared-functions.ts')
  return declaredFunctions({ ...settings, config })
}

export async function declareTo(
  lambda: Lambda,
  { functions, triggers }: Pick<Declared, 'functions' | 'triggers'>,
): Promise<void> {
  for (const declared of functions) lambda.declareFunction(declared)
  for (const trigger of triggers) await lambda.declareTrigger(trigger)
}
