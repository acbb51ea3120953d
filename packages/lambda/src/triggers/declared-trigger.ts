import { createHash } from 'node:crypto'
import { ServiceError } from '@hashrange/core'
import type { Scope, ServiceHost } from '@hashrange/engine'
import type { Mapping } from '../delivery/mapping.ts'
import { RememberedProgress, StoredProgress, type ProgressStore } from '../delivery/progress-store.ts'
import type { StartFrom } from '../sources/shard-source.ts'
import { isKinesisArn, kinesisSource, type KinesisReader } from '../sources/kinesis-source.ts'
import { streamSource } from '../sources/stream-source.ts'
import { beginProgress } from './begin-progress.ts'
import { usualSettings, type MappingSettings } from '../mappings/mapping-settings.ts'

/** A trigger that the operator, or a program with an open database, has declared: a table or a stream of Kinesis, and the
 *  function that gets its changes or records. Neither need be there yet. */
export type DeclaredTrigger = TriggerOfTable | TriggerOfStream

interface TriggerOfTable extends CommonSettings {
  readonly tableName: string
}

interface TriggerOfStream extends CommonSettings {
  readonly streamName: string
  /** If the stream is not there, it is created with so many shards. Needs a scope. */
  readonly shardCount?: number | undefined
}

interface CommonSettings {
  readonly functionName: string
  readonly settings?: Partial<MappingSettings> | undefined
  readonly startFrom?: StartFrom | undefined
  /** Only the table or stream of this account and region; otherwise, all of this name. */
  readonly scope?: Scope | undefined
  /** Whether it is forgotten with the process how far it has come. */
  readonly isRemembered?: boolean | undefined
}

/** Turns declared triggers into mappings, as soon as their tables have a stream. */
export class DeclaredTriggers {
  readonly #host: ServiceHost
  readonly #kinesis: () => KinesisReader
  readonly #report: (sentence: string) => void
  /** Those whose streams cannot be created. They wait until somebody else does. */
  readonly #refused = new Set<DeclaredTrigger>()
  readonly #triggers = new Set<DeclaredTrigger>()
  readonly #mappings = new Map<string, Mapping>()
  readonly #remembered = new Map<string, ProgressStore>()

  constructor(host: ServiceHost, kinesis: () => KinesisReader, report: (sentence: string) => void) {
    this.#host = host
    this.#kinesis = kinesis
    this.#report = report
  }

  get isEmpty(): boolean {
    return this.#triggers.size === 0
  }

  add(trigger: DeclaredTrigger): void {
    this.#triggers.add(trigger)
  }

  remove(trigger: DeclaredTrigger): void {
    this.#triggers.delete(trigger)
  }

  /** Enables the streams of tables that are missing. */
  async mappings(): Promise<readonly Mapping[]> {
    const found: Mapping[] = []
    for (const trigger of this.#triggers) {
      for (const scope of trigger.scope === undefined ? await this.#scopesOf(trigger) : [trigger.scope]) {
        const mapping = await this.#mappingOf(trigger, scope)
        if (mapping !== undefined) found.push(mapping)
      }
    }
    return found
  }

  async #mappingOf(trigger: DeclaredTrigger, scope: Scope): Promise<Mapping | undefined> {
    const { functionName, settings, startFrom = 'TRIM_HORIZON' } = trigger
    const arn = await this.#arnOf(trigger, scope)
    if (arn === undefined) return undefined
    const uuid = uuidOf(`${arn} ${functionName}`)
    const known = this.#mappings.get(uuid)
    if (known !== undefined) return known
    const progress = this.#progressOf(trigger, scope, uuid)
    const mapping: Mapping = {
      uuid,
      scope,
      functionName,
      source: isKinesisArn(arn)
        ? // Nobody has given it a role.
          kinesisSource(this.#kinesis(), scope, arn, () =>
            Promise.resolve(`arn:aws:iam::${scope.accountId}:role/${functionName}`),
          )
        : streamSource(this.#host.streams, scope, arn),
      startFrom,
      settings: { ...usualSettings, ...settings },
      progress,
      revision: 'declared',
    }
    await beginProgress(mapping)
    this.#mappings.set(uuid, mapping)
    return mapping
  }

  #progressOf({ isRemembered }: DeclaredTrigger, scope: Scope, uuid: string): ProgressStore {
    if (isRemembered !== true) return new StoredProgress(this.#host.records('shardProgress'), scope)
    let remembered = this.#remembered.get(uuid)
    if (remembered === undefined) this.#remembered.set(uuid, (remembered = new RememberedProgress()))
    return remembered
  }

  async #scopesOf(trigger: DeclaredTrigger): Promise<Iterable<Scope>> {
    return 'tableName' in trigger
      ? this.#host.scopesOf(trigger.tableName)
      : this.#kinesis().scopesOf(trigger.streamName)
  }

  /** Undefined if there is nothing to read yet. */
  async #arnOf(trigger: DeclaredTrigger, scope: Scope): Promise<string | undefined> {
    const place = `${scope.region}:${scope.accountId}`
    if ('tableName' in trigger) {
      const label = await this.#streamOf(scope, trigger.tableName)
      return label && `arn:aws:dynamodb:${place}:table/${trigger.tableName}/stream/${label}`
    }
    const { streamName: StreamName, shardCount: ShardCount } = trigger
    const arn = `arn:aws:kinesis:${place}:stream/${StreamName}`
    try {
      await this.#kinesis().shards(scope, arn)
      return arn
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (ShardCount === undefined || this.#refused.has(trigger)) return undefined
    }
    try {
      await this.#host.execute(scope, 'Kinesis_20131202', 'CreateStream', { StreamName, ShardCount })
      return arn
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      // Another server may have been faster.
      if (error.code === 'ResourceInUseException') return arn
      this.#refused.add(trigger)
      this.#report(
        `The Kinesis stream ${StreamName} cannot be created, so ${trigger.functionName} is not called for it: ${error.message}`,
      )
      return undefined
    }
  }

  async #streamOf(scope: Scope, tableName: string): Promise<string | undefined> {
    const definition = this.#host.definitionOf(scope, tableName)
    if (definition === undefined) return undefined
    if (definition.stream?.enabled === true) return definition.stream.label
    if (definition.status !== 'ACTIVE') return undefined
    try {
      await this.#host.execute(scope, 'DynamoDB_20120810', 'UpdateTable', {
        TableName: tableName,
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      })
    } catch (error) {
      // Another server was faster, or the table is being changed.
      if (!(error instanceof ServiceError)) throw error
    }
    const { stream } = this.#host.definitionOf(scope, tableName) ?? {}
    return stream?.enabled === true ? stream.label : undefined
  }
}

/** The same each time, so that a trigger continues where it was. ON DISK. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
