import { storeUnderneath, type Engine, type Recovery, type Scope, type Store } from '@hashrange/engine'
import { Activity, authenticateBySignature, consoleLogger, isLoopback, serve, Watchdog } from '@hashrange/server'
import type { Audit, Route } from '@hashrange/server'
import type { FunctionDesign } from '@hashrange/templates'
import type { Archiver } from '@hashrange/transfer'
import type { AuditTrail, Gate } from '@hashrange/access/closed'
import type { DaxServer } from '@hashrange/dax'
import { auditedRoutes } from './audit/audited-routes.ts'
import { branchExecutors } from './branches/branch-executors.ts'
import { engineCapacityOptions } from './capacity-options.ts'
import type { StartSettings } from './command-line.ts'
import { daxOf } from './dax/configured-dax.ts'
import { explainFailure } from './explain-failure.ts'
import { declareTo, functionOptions, functionsOf, Listening } from './functions/start-functions.ts'
import type { Declared } from './functions/declared-functions.ts'
import { endpointOf, greeting, hasWorkbench } from './greeting.ts'
import { linksOf } from './links/configured-links.ts'
import type { LinkSettings } from './links/link-flags.ts'
import type { OpenLinks } from './links/start-links.ts'
import { assertNotOpenToOthers } from './open-to-others.ts'
import { openEngine, wireServices, type OpenedDatabase, type OpenedEngine } from './open-engine.ts'
import type { OpenedGate } from './auth/open-gate.ts'
import { ownRoutes } from './own-routes.ts'
import { prepareTables, scopeOfStart } from './prepare-tables.ts'
import { placeOf } from './store-place.ts'
import { settingAdvice } from './setting-advice.ts'
import { stopOnSignals } from './stop-on-signals.ts'
import { logMissingTables } from './missing-tables.ts'
import { tuneProcess } from './tune-process.ts'
import { newWorkbenchToken } from './workbench-token.ts'
import type { WorkbenchOptions } from './workbench/create-workbench.ts'
import { logThrottling } from './would-throttle.ts'

/** Serves until a signal asks to stop. A failure to start is reported in a sentence, with exit code 1. */
export async function start(settings: StartSettings): Promise<void> {
  tuneProcess()
  const { streamRetentionHours, ttlSweepSeconds, maxClockOffsetSeconds } = settings
  let opened: OpenedDatabase | undefined
  let audit: AuditTrail | undefined
  let dax: DaxServer | undefined
  const listening = new Listening()
  try {
    const declared = await functionsOf(settings)
    const linkSettings = await linksOf(settings)
    const daxSettings = await daxOf(settings)
    const connections = await connectionsOf(settings, declared)
    await assertNotOpenToOthers({ ...settings, isClosed: settings.auth === true }, 'command')
    if (settings.from !== undefined) await restore(settings)
    opened = await openEngine(placeOf(settings), {
      onRecovery: logLoss,
      buckets: settings.buckets,
      exportKeys: settings.exportKeys,
      ...engineCapacityOptions(settings),
      ...(streamRetentionHours !== undefined && { streamRetentionMs: streamRetentionHours * 3_600_000 }),
      ...(ttlSweepSeconds !== undefined && { expirySweepMs: ttlSweepSeconds * 1000 }),
      ...(maxClockOffsetSeconds !== undefined && { maxClockOffsetMs: maxClockOffsetSeconds * 1000 }),
      webhooks: webhooksOf(settings),
      functions: functionOptions(settings, listening, webhooksOf(settings)),
      kinesisEndpoint: settings.kinesisEndpoint,
      changeWebhooks: settings.changeWebhooks,
      webhookSecret: settings.webhookSecret,
      secrets: settings,
      regionsElsewhere: linkSettings.links?.map(({ region }) => region),
      linkedRegion: linkSettings.region,
      onMissingTable: logMissingTables(consoleLogger, settings.shared),
      onWouldThrottle: logThrottling(consoleLogger),
    })
    const { engine, store, branches } = opened
    const closed = await closeTo(opened, settings)
    const gate = closed?.gate
    const prepared = await prepareTables(engine, settings, closed?.administrator.accountId)
    if (prepared.seeded > 0) await branches.saveSeed()
    const { host, port, shared, allowedHosts, cors, tls } = settings
    const token = settings.workbenchToken ?? newWorkbenchToken()
    const activity = new Activity(wireServices.flatMap(({ operations }) => operations))
    const watchdog = new Watchdog(activity, consoleLogger)
    audit = await auditOf(engine, settings)
    const counted = [watchdog, opened.lambda, ...(audit === undefined ? [] : [audit])]
    const links = await openedLinks(engine, linkSettings)
    dax = await openedDax(engine, { ...settings, ...daxSettings }, gate)
    const own = ownRoutes(engine, store, {
      gate,
      counted: [...counted, ...[links, dax].filter((one) => one !== undefined)],
      others: opened.routes,
      links,
      branches,
    })
    const routes = [
      ...auditedRoutes(own, audit, gate && ((request) => gate.operatorOf(request))),
      ...workbenchRoutes(opened, settings, token, { audit, gate, connections, linkedServers: links?.statuses }),
    ]
    const server = await serve(gate?.guard(engine) ?? engine, {
      authenticate: gate && ((request, service) => gate.authenticate(request, service)),
      host,
      port,
      tls,
      shared,
      services: wireServices,
      branches: branchExecutors(branches, gate),
      routes,
      allowedHosts,
      cors,
      accessAdvice: settingAdvice('command'),
      activity,
      audit,
    })
    listening.at(endpointOf(settings, server.port))
    await branches.begin()
    links?.begin()
    await declareTo(opened.lambda, declared)
    await declareTo(
      opened.lambda,
      await functionsOfFiles(opened, prepared.functions, scopeOfStart(settings, closed?.administrator.accountId)),
    )
    const archiver = await archiverOf(store, settings)
    const close = async (): Promise<void> => {
      links?.stop()
      await dax?.close()
      await server.close()
      await archiver?.stop()
      await audit?.close()
      await closed?.close()
      await branches.close()
      await engine.close()
    }
    stopOnSignals(close, (error) => console.error(`hashrange: ${describe(error)}`))
    console.log(greeting(settings, server.port, token, closed?.administrator.made, dax?.port))
  } catch (error) {
    console.error(`hashrange: ${explainFailure(error, settings) ?? describe(error)}`)
    process.exitCode = 1
    await dax?.close()
    await audit?.close()
    await opened?.store.close()
  }
}

/** Receivers on this machine may be called if only this machine can request it: otherwise others could use the server
 *  to reach what only listens here. */
function webhooksOf({ host, webhooks }: StartSettings): readonly string[] | undefined {
  return webhooks ?? (isLoopback(host) ? undefined : ['none'])
}

/** The functions of templates run here as well, and get the changes of their tables. */
async function functionsOfFiles(
  { engine }: OpenedEngine,
  functions: readonly FunctionDesign[],
  scope: Scope,
): Promise<Pick<Declared, 'functions' | 'triggers'>> {
  if (functions.length === 0) return { functions: [], triggers: [] }
  const { templateFunctions } = await import('./functions/template-functions.ts')
  return templateFunctions(engine, functions, scope, (line) => console.log(line))
}

/** What closes a server is not loaded by those that stay open. */
async function closeTo(
  opened: OpenedEngine,
  { auth, rootKey, identities }: StartSettings,
): Promise<OpenedGate | undefined> {
  if (auth !== true) return undefined
  const { openGate, readIdentitiesFile } = await import('./auth/open-gate.ts')
  const declared = identities === undefined ? undefined : await readIdentitiesFile(identities)
  return openGate(opened, { rootKey, identities: declared })
}

/** What links servers is not loaded by those that have no links. */
async function openedLinks(engine: Engine, settings: LinkSettings): Promise<OpenLinks | undefined> {
  if (settings.links === undefined) return undefined
  const { openLinks } = await import('./links/start-links.ts')
  return openLinks(engine, settings, (sentence) => consoleLogger.error(`hashrange: ${sentence}`))
}

/** What serves DAX is not loaded by those that do not. */
async function openedDax(
  engine: Engine,
  settings: StartSettings,
  gate: Gate | undefined,
): Promise<DaxServer | undefined> {
  const { daxPort, shared } = settings
  if (daxPort === undefined) return undefined
  const { openDax } = await import('./dax/open-dax.ts')
  const authenticate = authenticateBySignature({ shared })
  return openDax(engine, { ...settings, daxPort, gate, authenticate, logger: consoleLogger })
}

async function auditOf(engine: Engine, { audit }: StartSettings): Promise<AuditTrail | undefined> {
  if (audit === undefined) return undefined
  const { openAudit } = await import('./audit/open-audit.ts')
  return openAudit(engine, audit, consoleLogger)
}

function logLoss({ batches, droppedFrom }: Recovery): void {
  if (droppedFrom === undefined) return
  console.error(
    `hashrange: the redo log was damaged. ${batches} batches of writes were recovered; batch ${droppedFrom} and everything after it are lost. The damaged files were kept as redo-0.damaged and redo-1.damaged.`,
  )
}

async function restore({ from = '', atMs, path = '' }: StartSettings): Promise<void> {
  const { restoreFolder } = await import('./archive/restore-folder.ts')
  const restored = await restoreFolder({ from, atMs, path })
  console.log(`Restored ${path} from ${from}, as of ${new Date(restored.atMs).toISOString()}.`)
}

async function archiverOf(store: Store, { archive }: StartSettings): Promise<Archiver | undefined> {
  if (archive === undefined) return undefined
  const { startArchiver } = await import('./archive/start-archiver.ts')
  return startArchiver(storeUnderneath(store), archive, consoleLogger)
}

interface WorkbenchParts {
  readonly audit: Audit | undefined
  readonly gate: Gate | undefined
  readonly connections: WorkbenchOptions['connections']
  readonly linkedServers?: WorkbenchOptions['linkedServers']
}

/** A start without connections need not load what reads them. */
async function connectionsOf(
  settings: StartSettings,
  { connections }: Declared,
): Promise<WorkbenchOptions['connections']> {
  if (settings.connections === undefined && Object.keys(connections).length === 0) return undefined
  const { declaredConnections } = await import('./workbench/connections/declared-connections.ts')
  return declaredConnections(settings, connections)
}

/** The workbench is loaded when it is first opened: a start need not wait for it. */
function workbenchRoutes(
  { engine, lambda, webhookReports }: OpenedEngine,
  settings: StartSettings,
  token: string,
  { audit, gate, connections, linkedServers }: WorkbenchParts,
): Route[] {
  if (!hasWorkbench(settings)) return []
  const { host, allowedHosts, shared, path, models, remoteModels, editModels } = settings
  const readOnly = settings.workbenchReadOnly
  let loaded: Promise<Route> | undefined
  return [
    async (request) => {
      if (!request.target.startsWith('/_workbench') && request.accept?.includes('text/html') !== true)
        return undefined
      loaded ??= import('./workbench/create-workbench.ts').then(({ createWorkbench }) =>
        createWorkbench(engine, {
          token,
          gate,
          host,
          allowedHosts,
          shared,
          path,
          models,
          remoteModels,
          editModels,
          readOnly,
          audit,
          consumers: { lambda, webhookReports },
          linkedServers,
          connections,
        }),
      )
      return (await loaded)(request)
    },
  ]
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
