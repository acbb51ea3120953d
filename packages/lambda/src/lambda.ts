import { randomUUID } from 'node:crypto'
import type { RecordSpace, Scope, ServiceHost } from '@hashrange/engine'
import type { MetricFamily } from '@hashrange/server'
import { deliverDiscarded } from './delivery/deliver-discarded.ts'
import type { DeliveryHost } from './delivery/delivery-host.ts'
import { Figures } from './delivery/figures.ts'
import type { Mapping } from './delivery/mapping.ts'
import { triggerFamilies } from './delivery/metric-families.ts'
import { StoredProgress } from './delivery/progress-store.ts'
import type { Supervisor } from './delivery/supervisor.ts'
import { EventQueue } from './functions/event-queue.ts'
import { FunctionBook } from './functions/function-book.ts'
import { FunctionLogs } from './functions/function-logs.ts'
import { FunctionMetrics } from './functions/function-metrics.ts'
import { functionNotFound } from './functions/function-name.ts'
import { functionArn, roleOf, type DeclaredFunction, type LambdaFunction } from './functions/lambda-function.ts'
import type { Invocation, Invoked } from './functions/runner.ts'
import { roleCredentials } from './functions/role-credentials.ts'
import type { Runners } from './functions/runners.ts'
import { StoredCode } from './functions/stored-code.ts'
import type { LambdaOptions } from './lambda-options.ts'
import { DeclaredTriggers, type DeclaredTrigger } from './triggers/declared-trigger.ts'
import type { MappingRecord, ShardProgress } from './mappings/mapping-record.ts'
import { isKinesisArn, kinesisSource, type KinesisReader } from './sources/kinesis-source.ts'
import type { ShardSource } from './sources/shard-source.ts'
import { streamSource } from './sources/stream-source.ts'

/** How long a start waits before the first retry of a batch. */
const usualRetryMs = 500
/** Where functions of a database look that no server serves. They must not find AWS instead. */
const nowhere = 'http://hashrange.invalid'
/** How late CloudWatch may be. */
const metricsMs = 5_000
/** Mappings of other servers are noticed after this time. */
const sharedScanMs = 2_000

/** Functions, and what makes them run: the service, behind its operations. */
export class Lambda implements DeliveryHost {
  readonly host: ServiceHost
  readonly options: LambdaOptions
  readonly functions: FunctionBook
  readonly code: StoredCode
  readonly mappings: RecordSpace<MappingRecord>
  readonly progress: RecordSpace<ShardProgress>
  readonly figures = new Figures()
  /** What functions have printed of late. */
  readonly logs = new FunctionLogs()
  readonly retryMs: number
  /** Calls whose callers do not wait. */
  readonly events: EventQueue
  readonly #triggers: DeclaredTriggers
  readonly #metrics: FunctionMetrics | undefined
  #loaded: Promise<Runners> | undefined
  #supervisor: Promise<Supervisor> | undefined
  readonly #kinesis: () => KinesisReader

  constructor(host: ServiceHost, options: LambdaOptions, kinesis: () => KinesisReader) {
    this.host = host
    this.options = options
    this.#kinesis = kinesis
    this.retryMs = options.retryMs ?? usualRetryMs
    this.functions = new FunctionBook(host.records('lambdaFunction'))
    this.mappings = host.records('eventSourceMapping')
    this.progress = host.records('shardProgress')
    this.code = new StoredCode(host.records('lambdaCode'))
    this.events = new EventQueue(
      (called, payload) => this.call(called, { payload }),
      this.report,
      host.background.stopping,
    )
    this.#triggers = new DeclaredTriggers(host, kinesis, this.report)
    this.#metrics = options.putMetrics && new FunctionMetrics(options.putMetrics, this.nowMs)
  }

  /** Takes up what was there before. */
  async begin(): Promise<void> {
    const { background, isShared } = this.host
    background.stopping.addEventListener('abort', () => void this.#close(), { once: true })
    const metrics = this.#metrics
    if (metrics !== undefined) background.every(metricsMs, () => metrics.flush())
    if (isShared) background.every(sharedScanMs, () => this.#startIfNeeded())
    await this.#startIfNeeded()
  }

  readonly nowMs = (): number => this.host.clock.now()

  readonly report = (sentence: string): void => this.options.report?.(sentence)

  declareFunction(declared: DeclaredFunction): void {
    this.functions.declare(declared)
  }

  /** Resolves when the trigger is set up, if its table is there. */
  async declareTrigger(trigger: DeclaredTrigger): Promise<void> {
    this.#triggers.add(trigger)
    await this.mappingsChanged()
  }

  async removeTrigger(trigger: DeclaredTrigger): Promise<void> {
    this.#triggers.remove(trigger)
    await (await this.#supervise()).scan()
  }

  /** For the page of metrics. */
  metricFamilies(): Iterable<MetricFamily> {
    return triggerFamilies(this.figures)
  }

  /** Ends the processes of a function that is gone. */
  async stopFunction(stopped: Pick<LambdaFunction, 'scope' | 'name'>): Promise<void> {
    ;(await this.#loaded)?.forget(stopped)
  }

  /** Called after a change of mappings. */
  async mappingsChanged(): Promise<void> {
    const supervisor = await this.#supervise()
    supervisor.start()
    await supervisor.scan()
  }

  async settled(): Promise<void> {
    await (await this.#supervise()).settled()
  }

  /** The mappings that are not in the store. */
  declaredMappings(): Promise<readonly Mapping[]> {
    return this.#triggers.mappings()
  }

  async invoke(scope: Scope, functionName: string, payload: Buffer): Promise<Invoked> {
    const called = await this.functions.find(scope, functionName)
    if (called === undefined) throw functionNotFound(functionArn(scope, functionName))
    return this.call(called, { payload })
  }

  async call(called: LambdaFunction, invocation: Pick<Invocation, 'payload' | 'clientContext'>): Promise<Invoked> {
    const { scope, name } = called
    const startedAtMs = performance.now()
    const runners = await this.#runners()
    const invoked = await runners
      .of(called)
      .invoke({ requestId: randomUUID(), functionArn: functionArn(scope, name), ...invocation })
    this.#keepFailure(called, invoked)
    this.#metrics?.add(scope, name, 'Invocations', 1)
    this.#metrics?.add(scope, name, 'Errors', invoked.functionError === undefined ? 0 : 1)
    this.#metrics?.add(scope, name, 'Duration', performance.now() - startedAtMs)
    return invoked
  }

  readonly measureAge = (scope: Scope, functionName: string, ageMs: number): void =>
    this.#metrics?.add(scope, functionName, 'IteratorAge', ageMs)

  /** Why a URL may not be called; undefined if it may. */
  whyNotCalled(url: string): string | undefined {
    const { urls } = this.options
    return urls === undefined ? 'URLs cannot be called from here.' : urls.refusalOf(url)
  }

  readonly send = (url: string, body: string): Promise<string | undefined> =>
    this.options.urls?.send(url, body) ?? Promise.resolve('URLs cannot be called from here')

  readonly discard: DeliveryHost['discard'] = (discarded) => deliverDiscarded(this, discarded)

  mappingOf(scope: Scope, record: MappingRecord): Mapping {
    const { uuid, functionName, sourceArn, startingPosition, startingAtMs = 0, settings } = record
    return {
      uuid,
      scope,
      functionName,
      source: this.#sourceOf(scope, sourceArn, functionName),
      startFrom: startingPosition === 'AT_TIMESTAMP' ? { atMs: startingAtMs } : startingPosition,
      settings,
      progress: new StoredProgress(this.progress, scope),
      revision: JSON.stringify([functionName, settings]),
    }
  }

  #sourceOf(scope: Scope, arn: string, functionName: string): ShardSource {
    if (!isKinesisArn(arn)) return streamSource(this.host.streams, scope, arn)
    return kinesisSource(this.#kinesis(), scope, arn, async () => {
      const reading = await this.functions.find(scope, functionName)
      return roleOf(scope, reading)
    })
  }

  /** What runs functions is loaded with the first call: a start need not wait for it. */
  #runners(): Promise<Runners> {
    this.#loaded ??= this.#load()
    return this.#loaded
  }

  async #load(): Promise<Runners> {
    const { Runners } = await import('./functions/runners.ts')
    const { options, host } = this
    return new Runners({
      node: options.node,
      endpoint: options.endpoint ?? (() => Promise.resolve(nowhere)),
      credentials: (called) =>
        options.isClosed === true ? roleCredentials(host, called) : nobodysCredentials(called),
      unpack: (called) => this.code.unpack(called),
      print: (called, line) => {
        this.logs.add(called, { atMs: this.nowMs(), kind: 'printed', text: line })
        return options.print?.(called.name, line)
      },
    })
  }

  /** What consumes is loaded when there is something to consume. */
  #supervise(): Promise<Supervisor> {
    this.#supervisor ??= import('./delivery/supervisor.ts').then(
      ({ Supervisor }) => new Supervisor(this, this.host.background, () => this.#wanted()),
    )
    return this.#supervisor
  }

  /** A function that fails need not print why. */
  #keepFailure(called: LambdaFunction, { functionError, payload }: Invoked): void {
    if (functionError === undefined) return
    this.logs.add(called, { atMs: this.nowMs(), kind: 'failed', text: failureText(payload) })
  }

  async #startIfNeeded(): Promise<void> {
    const stored = await this.mappings.all()
    if (stored.length > 0 || !this.#triggers.isEmpty) (await this.#supervise()).start()
  }

  async #wanted(): Promise<readonly Mapping[]> {
    const stored = (await this.mappings.all()).filter(({ record }) => record.isEnabled)
    const mappings = stored.map(({ scope, record }) => this.mappingOf(scope, record))
    return this.#triggers.isEmpty ? mappings : [...mappings, ...(await this.#triggers.mappings())]
  }

  async #close(): Promise<void> {
    await (await this.#loaded)?.close()
    await this.code.close()
  }
}

/** `TypeError: …`, as consoles show it. */
function failureText(payload: Buffer): string {
  const text = payload.toString('utf8', 0, mostFailureBytes)
  try {
    const { errorType, errorMessage } = JSON.parse(text) as Readonly<Record<string, unknown>>
    return typeof errorType === 'string' && typeof errorMessage === 'string'
      ? `${errorType}: ${errorMessage}`
      : text
  } catch {
    return text
  }
}

const mostFailureBytes = 4096

/** On an open server, a key of twelve digits names its account. */
function nobodysCredentials({ scope }: LambdaFunction): Promise<{ accessKeyId: string; secretAccessKey: string }> {
  return Promise.resolve({ accessKeyId: scope.accountId, secretAccessKey: 'hashrange' })
}
