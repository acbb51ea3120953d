import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { Conflict, Engine, OperationName, Regions, Scope } from '@hashrange/engine'
import type { Lambda } from '@hashrange/lambda'
import type { DaxServer } from '@hashrange/dax'
import type { Authenticate, Logger } from '@hashrange/server'
import { authenticateBySignature, serve } from '@hashrange/server'
import type { ApplyOptions } from './apply/apply-files.ts'
import type { DatabaseBranches } from './branches/database-branches.ts'
import { branchExecutors } from './branches/branch-executors.ts'
import type { ClosedDatabase } from './auth/close-database.ts'
import { readListenOptions, type ListenOptions } from './listen-options.ts'
import type { ClientConfig } from './client-config.ts'
import type { InProcessHandler } from './in-process-handler.ts'
import { wireServices } from './open-engine.ts'
import { assertNotOpenToOthers } from './open-to-others.ts'
import { ownRoutes } from './own-routes.ts'
import { RegionAccess } from './region-access.ts'
import type { Trigger, TriggerHandler, TriggerOptions } from './triggers/trigger-options.ts'
import { settingAdvice } from './setting-advice.ts'

export interface ListeningServer {
  /** Such as `http://127.0.0.1:8000`, for the `endpoint` of any client. */
  readonly endpoint: string
  readonly port: number
  /** Such as `dax://127.0.0.1:8111`, for the `endpoint` of a DAX client, if there is a `daxPort`. */
  readonly daxEndpoint?: string | undefined
  close(): Promise<void>
}

/** What a database is made of. One that is a branch itself has no branches. */
export interface DatabaseParts {
  readonly engine: Engine
  readonly lambda: Lambda
  readonly branches?: DatabaseBranches | undefined
}

/** An open database. All access paths see the same tables: `client`, `execute`, and servers created by `listen`. */
export class Database {
  /** The regions that can be isolated, slowed or taken down, to see what becomes of everything else. */
  readonly regions: Regions
  readonly #home: RegionAccess
  readonly #elsewhere = new Map<string, RegionAccess>()
  readonly #engine: Engine
  readonly #lambda: Lambda
  readonly #branches: DatabaseBranches | undefined
  readonly #scope: Scope
  readonly #logger: Logger
  readonly #closed: ClosedDatabase | undefined
  readonly #servers = new Set<ListeningServer>()
  /** Branches that are databases in this process. */
  readonly #opened = new Set<Database>()
  /** What a branch does when it is closed, instead of closing the store that it shares. */
  #onClosed: (() => Promise<void>) | undefined
  #closing: Promise<void> | undefined

  constructor({ engine, lambda, branches }: DatabaseParts, scope: Scope, logger: Logger, closed?: ClosedDatabase) {
    this.#engine = engine
    this.#lambda = lambda
    this.#branches = branches
    this.#scope = scope
    this.#logger = logger
    this.#closed = closed
    this.regions = engine.regions
    this.#home = this.#accessTo(scope)
  }

  /** For any other client of the AWS SDK v3: `new DynamoDBStreamsClient(db.clientConfig)`. */
  get clientConfig(): ClientConfig {
    return this.#home.clientConfig
  }

  /** Carries a client's requests into this process; part of `clientConfig`. */
  get requestHandler(): InProcessHandler {
    return this.clientConfig.requestHandler
  }

  /** A client of the AWS SDK v3 whose requests never leave the process. It takes commands like a `DynamoDBClient`,
   *  has a method for each operation, and can be passed to any library that needs a client. Needs
   *  `@aws-sdk/client-dynamodb`, which is loaded on first use. */
  get client(): DynamoDB {
    return this.#home.client
  }

  /** Carries out one operation without HTTP and without the SDK, for whoever has the database: nobody is asked who they are. Input and answer have the form of DynamoDB's JSON: binary
   *  values are base64 strings (a Uint8Array is accepted too), times are seconds since 1970.
   *  Throws a ServiceError where the service would refuse. */
  execute(operation: OperationName, input: object = {}): Promise<Record<string, unknown>> {
    return this.#home.execute(operation, input)
  }

  /** The tables of another region: `client`, `clientConfig` and `execute`, as the database itself has them for its own
   *  region. */
  in(region: string): RegionAccess {
    if (region === this.#scope.region) return this.#home
    const access = this.#elsewhere.get(region) ?? this.#accessTo({ ...this.#scope, region })
    this.#elsewhere.set(region, access)
    return access
  }

  /** Sends what has been written in replicas of global tables to the others, and waits for it, as far as regions can be
   *  reached. This also happens by itself, several times a second. */
  replicate(): Promise<void> {
    this.#assertOpen()
    return this.#engine.replicate()
  }

  /** Writes to global tables that lost against writes of other regions that had not seen them, oldest first. */
  conflicts(tableName?: string): Promise<readonly Conflict[]> {
    this.#assertOpen()
    return this.#engine.conflicts(undefined, tableName)
  }

  /** Makes a branch: a database that begins with everything that this one has now, and from then on is apart from it. It takes no longer
   *  if there is more. With a name, it stays, and servers serve it (`x-hashrange-branch: NAME`); without one, it is deleted when it
   *  is closed. A name that exists opens that branch again. */
  async branch(name?: string): Promise<Database> {
    const branches = this.#assertHasBranches()
    const known = name === undefined ? undefined : (await branches.list('branch')).find((one) => one.name === name)
    const branch = known ?? (await branches.create(name))
    const opened = await branches.engineOf(branch)
    const database = new Database(opened, this.#scope, this.#logger, this.#closed)
    database.#onClosed = async () => {
      this.#opened.delete(database)
      await branches.release(branch)
    }
    this.#opened.add(database)
    return database
  }

  /** Deletes the items whose time to live is over. This also happens by itself, every few seconds. */
  async expireItems(): Promise<void> {
    this.#assertOpen()
    await this.#engine.expireItems()
  }

  /** Keeps everything as it is now, under a name, for `reset`. */
  async save(name = 'saved'): Promise<void> {
    const branches = this.#assertHasBranches()
    if ((await branches.list('snapshot')).some((one) => one.name === name)) await branches.delete('snapshot', name)
    await branches.save(name)
  }

  /** Sets everything back to what it was at the last `save`, or at the one with this name. The time it takes depends on how much has
   *  changed since. */
  async reset(name?: string): Promise<void> {
    await this.#assertHasBranches().restore(name)
  }

  /** Creates and updates tables, auto scaling, alarms and Kinesis streams as files declare them: CloudFormation and SAM templates, the folder of `cdk synth`, serverless.yml, or a
   *  plan or state of Terraform as JSON. A table that would have to be replaced is refused. */
  async apply(files: string | readonly string[], options: ApplyOptions = {}): Promise<void> {
    const { applyFiles } = await import('./apply/apply-files.ts')
    const { enginePort } = await import('./apply/engine-port.ts')
    this.#assertOpen()
    const port = enginePort(this.#engine, this.#scope)
    await applyFiles(port, typeof files === 'string' ? [files] : files, { ...options, ...this.#scope })
  }

  /** Calls `handler` with every change of a table, as a trigger of AWS Lambda would: in batches, in order for each item, again if it fails.
   *  Turns on the table's stream if it has none. With a name, a database in a folder remembers how far the trigger has come. */
  async trigger(table: string, handler: TriggerHandler, options: TriggerOptions = {}): Promise<Trigger> {
    this.#assertOpen()
    const { addTrigger } = await import('./triggers/add-trigger.ts')
    return addTrigger(this.#lambda, this.#scope, table, handler, options)
  }

  /** Resolves when every trigger has seen every change that was made so far, including those that triggers have made. What waits for the clock
   *  (a batching window, a retry) is not waited for: move the clock, and call it again. Rejects if a trigger has failed and waits for its retry. */
  async settled(): Promise<void> {
    this.#assertOpen()
    await this.#lambda.settled()
  }

  /** Serves these tables over HTTP as well, to whatever credentials and region (a region that has replicas of global tables
   *  has its own tables); by default on a port that is free, for this machine.
   *  `listen(8000)` and `listen(8000, '::1')` are short for `listen({ port: 8000, host: '::1' })`. Other machines are let in
   *  if the database is closed (`open({ auth: true })`), or with `insecure: true`. */
  async listen(options: ListenOptions | number = {}, onHost?: string): Promise<ListeningServer> {
    this.#assertOpen()
    const read = readListenOptions(options, onHost)
    const { port = 0, host = '127.0.0.1', insecure, cors, allowedHosts, tls } = read
    const gate = this.#closed?.gate
    await assertNotOpenToOthers({ host, isClosed: gate !== undefined, insecure }, 'program')
    const branches = this.#branches
    const { catalog } = this.#engine
    const home = this.#scope
    // Regions in which this database has tables, as with global tables, are told apart.
    const scope = ({ region }: Scope): Scope => {
      const named = { ...home, region }
      return region !== home.region && catalog.hasTables(named) ? named : home
    }
    const logger = this.#logger
    const dax = await this.#openDax(read, host, scope)
    const counted = [this.#lambda, ...(dax === undefined ? [] : [dax])]
    const routes = ownRoutes(this.#engine, this.#engine.store, { gate, counted, branches })
    const server = await serve(gate?.guard(this.#engine) ?? this.#engine, {
      authenticate: gate && ((request, service) => gate.authenticate(request, service)),
      host,
      port,
      tls,
      scope,
      logger,
      services: wireServices,
      branches: branches && branchExecutors(branches, gate),
      routes,
      cors,
      allowedHosts,
      accessAdvice: settingAdvice('program'),
    }).catch(async (error: unknown) => {
      await dax?.close()
      throw error
    })
    const name = host.includes(':') ? `[${host}]` : host
    const listening: ListeningServer = {
      endpoint: `${tls === undefined ? 'http' : 'https'}://${name}:${server.port}`,
      port: server.port,
      daxEndpoint: dax && `${tls === undefined ? 'dax' : 'daxs'}://${name}:${dax.port}`,
      close: async () => {
        this.#servers.delete(listening)
        await Promise.all([server.close(), dax?.close()])
      },
    }
    this.#servers.add(listening)
    return listening
  }

  /** Finishes what is in progress; afterwards nothing can be requested any more. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #closeAll(): Promise<void> {
    await Promise.all([...this.#servers].map((server) => server.close()))
    for (const access of [this.#home, ...this.#elsewhere.values()]) access.destroy()
    if (this.#onClosed !== undefined) return this.#onClosed()
    for (const branch of this.#opened) await branch.close()
    await this.#closed?.close()
    await this.#branches?.close()
    await this.#engine.close()
  }

  /** Who has no DAX does not load it. */
  async #openDax(
    options: ListenOptions,
    host: string,
    scopeOf: (named: Scope) => Scope,
  ): Promise<DaxServer | undefined> {
    const { daxPort } = options
    if (daxPort === undefined) return undefined
    const { openDax } = await import('./dax/open-dax.ts')
    const named = authenticateBySignature({ shared: false })
    const gate = this.#closed?.gate
    const authenticate: Authenticate = (request, service) => scopeOf(named(request, service))
    return openDax(this.#engine, { ...options, daxPort, host, gate, authenticate, logger: this.#logger })
  }

  #assertHasBranches(): DatabaseBranches {
    this.#assertOpen()
    if (this.#branches === undefined) throw new Error('A branch has no branches or snapshots of its own.')
    return this.#branches
  }

  #accessTo(scope: Scope): RegionAccess {
    const parts = {
      engine: this.#engine,
      logger: this.#logger,
      closed: this.#closed,
      assertOpen: () => this.#assertOpen(),
    }
    return new RegionAccess(parts, scope)
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new Error('The database is closed. Open it again with open().')
  }
}
