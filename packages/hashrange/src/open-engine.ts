import { accessService, accessWire, readResourcePolicy, type IamContext, type KnownTables } from '@hashrange/access'
import {
  Branches,
  Engine,
  type EngineOptions,
  type Recovery,
  type ServiceHost,
  type Store,
} from '@hashrange/engine'
import { cloudFormationService, cloudFormationWire, type Guard } from '@hashrange/cloudformation'
import {
  kinesisService,
  kinesisWire,
  signatureOf,
  webhookReports,
  webhooksRoute,
  type DeclaredWebhook,
  type KinesisEndpoint,
  type ShardReader,
  type WebhookReport,
} from '@hashrange/kinesis'
import { lambdaService, lambdaWire, type Lambda, type LambdaOptions } from '@hashrange/lambda'
import {
  monitoringService,
  monitoringWire,
  webhookNotifier,
  webhookSender,
  type MetricFeed,
} from '@hashrange/monitoring'
import { consoleLogger, type Logger, type Route, type WireService } from '@hashrange/server'
import { pipesService, pipesWire, type HttpCaller } from '@hashrange/pipes'
import type { SecretKeySettings } from './auth/auth-flags.ts'
import { secretKeySource } from './auth/secret-key-source.ts'
import { DatabaseBranches } from './branches/database-branches.ts'
import { openBuckets } from './open-buckets.ts'
import { settingAdvice } from './setting-advice.ts'
import type { Advised } from './storage-advice.ts'
import { openStore } from './open-store.ts'
import type { StorePlace } from './store-place.ts'
import { logBackgroundErrors } from './log-background-errors.ts'
import { logClockMessages } from './log-clock-messages.ts'
import { logRefusal } from './log-refusal.ts'

export interface OpenEngineOptions extends Omit<EngineOptions, 'buckets' | 'services' | 'store'> {
  /** Where exports go and imports come from. */
  readonly buckets?: string | undefined
  /** Exports are encrypted with the first, and imports may have any. */
  readonly exportKeys?: readonly Uint8Array[] | undefined
  /** The addresses below which receivers of alarms are allowed. */
  readonly webhooks?: readonly string[] | undefined
  /** Where the streams of DynamoDB's streaming destinations are, if they are not in this database. */
  readonly kinesisEndpoint?: KinesisEndpoint | undefined
  /** Where the changes of tables are sent, and the secret that signs them. */
  readonly changeWebhooks?: readonly DeclaredWebhook[] | undefined
  readonly webhookSecret?: string | undefined
  /** Where the key of secrets comes from. */
  readonly secrets?: SecretKeySettings | undefined
  /** How functions are run; in this process alone by default. */
  readonly functions?: LambdaOptions | undefined
  /** Who gets advice on how to allow what is rejected: a command by default. */
  readonly advised?: Advised | undefined
  /** Called for failures that belong to no request. */
  readonly logger?: Logger | undefined
  readonly onRecovery?: (recovery: Recovery) => void
}

export interface OpenedEngine {
  /** Also closes the store. */
  readonly engine: Engine
  /** What the engine was opened on: without what it puts before it. */
  readonly store: Store
  /** Its identities. */
  readonly iam: IamContext
  /** What services serve besides their APIs. */
  readonly routes: readonly Route[]
  readonly tables: KnownTables
  /** Once the database is closed: what decides about the steps of stacks. */
  readonly guardStacks: (guard: Guard) => void
  /** How the webhooks of changes are doing. */
  readonly webhookReports: () => Promise<readonly WebhookReport[]>
  /** Its functions and triggers. */
  readonly lambda: Lambda
}

/** A database with its branches. */
export interface OpenedDatabase extends OpenedEngine {
  readonly branches: DatabaseBranches
}

/** Opens a database and its branches, for the server, for `open` and for the commands. */
export async function openEngine(place: StorePlace, options: OpenEngineOptions = {}): Promise<OpenedDatabase> {
  const { onRecovery, ...others } = options
  const { logger = consoleLogger } = options
  const store = await openStore(place, { onRecovery, onRefusal: logRefusal(logger) })
  try {
    const branches = await Branches.open(store)
    const opened = await putTogether(branches.main, place, others)
    // What acts beyond the database is not in branches: nobody else is to notice what is tried there.
    const { kinesisEndpoint: _, changeWebhooks: _webhooks, functions: _functions, ...ofBranch } = others
    const openBranch = (branch: Store): Promise<OpenedEngine> => putTogether(branch, place, ofBranch)
    return { ...opened, branches: new DatabaseBranches(branches, () => opened.engine, openBranch) }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** The one place where an engine gets every service that hashrange has beside DynamoDB. */
async function putTogether(
  store: Store,
  place: StorePlace,
  options: Omit<OpenEngineOptions, 'onRecovery'>,
): Promise<OpenedEngine> {
  const {
    buckets,
    exportKeys = [],
    webhooks,
    secrets = {},
    functions,
    kinesisEndpoint,
    changeWebhooks,
    webhookSecret,
    advised = 'command',
    logger = consoleLogger,
    ...engineOptions
  } = options
  let iam: IamContext | undefined
  let kinesisHost: ServiceHost | undefined
  let lambda: Lambda | undefined
  let metrics: MetricFeed | undefined
  let shards: ShardReader | undefined
  const readShards = (): ShardReader => {
    if (shards === undefined) throw new Error('Kinesis is opened before those who read it')
    return shards
  }
  let guard: Guard | undefined
  const advice = settingAdvice(advised)
  const engine = await Engine.open({
    onClock: logClockMessages(logger),
    onBackgroundError: logBackgroundErrors(logger),
    readResourcePolicy,
    ...engineOptions,
    store,
    buckets: await openBuckets(buckets, exportKeys, advice),
    services: [
      monitoringService({
        notifier: webhookNotifier(logger, { webhooks, adviceOn: (prefix) => advice.ofReceiver(prefix) }),
        onOpen: (feed) => (metrics = feed),
      }),
      kinesisService({
        endpoint: kinesisEndpoint,
        webhooks: changeWebhooks,
        webhookSecret,
        onOpen: (host, reader) => {
          kinesisHost = host
          shards = reader
        },
        onError: logBackgroundErrors(logger),
      }),
      pipesService({
        kinesis: readShards,
        onError: logBackgroundErrors(logger),
        http: signedCaller(
          webhookSender({ webhooks, adviceOn: (prefix) => advice.ofReceiver(prefix) }),
          webhookSecret,
          // The store's time, as for the webhooks of tables. Pipes call nobody before all services are open.
          () => kinesisHost?.clock.now() ?? Date.now(),
        ),
      }),
      cloudFormationService({
        guard: () => guard,
        onError: logBackgroundErrors(logger),
        whyNoUploads: functions === undefined ? noUploads : functions.whyNoUploads,
      }),
      accessService({ secretKey: secretKeySource(place, secrets), onOpen: (context) => (iam = context) }),
      lambdaService({
        kinesis: readShards,
        report: (sentence) => logger.error(`hashrange: ${sentence}`),
        whyNoUploads: noUploads,
        putMetrics: async (scope, data) => metrics?.add(scope, data),
        ...functions,
        onOpen: (opened) => (lambda = opened),
      }),
    ],
  })
  if (iam === undefined || lambda === undefined || kinesisHost === undefined)
    throw new Error('the engine has not opened its services')
  const host = kinesisHost
  const tables: KnownTables = {
    definitionOf: (scope, tableName) => engine.catalog.find(scope, tableName)?.definition,
  }
  return {
    engine,
    store,
    iam,
    tables,
    guardStacks: (given) => {
      guard = given
    },
    lambda,
    routes: [webhooksRoute(host)],
    webhookReports: () => webhookReports(host),
  }
}

/** Requests of pipes are signed as the webhooks of tables are, if there is a secret. */
function signedCaller(caller: HttpCaller, secret: string | undefined, now: () => number): HttpCaller {
  if (secret === undefined) return caller
  return {
    refusalOf: (url) => caller.refusalOf(url),
    ask: (call) => caller.ask(call),
    call: (call) => {
      const signature = signatureOf(secret, call.body, now())
      return caller.call({ ...call, headers: { ...call.headers, 'x-hashrange-signature': signature } })
    },
  }
}

/** How clients communicate with those services. */
export const wireServices: readonly WireService[] = [
  ...monitoringWire,
  ...kinesisWire,
  ...pipesWire,
  ...cloudFormationWire,
  ...accessWire,
  ...lambdaWire,
]

/** Programs have handlers of their own; only the command runs what others send. */
const noUploads = 'This database does not run uploaded code. Use db.trigger(), or hashrange start.'
