import { ServiceError } from '@hashrange/core'
import type { RecordSpace, Scope } from '@hashrange/engine'
import {
  endpointArn,
  type ApiDestinationRecord,
  type ConnectionRecord,
  type EndpointRecord,
} from './destination-record.ts'

type Kinds = { readonly connection: ConnectionRecord; readonly 'api-destination': ApiDestinationRecord }

/** The connections and API destinations of every account and region. */
export class EndpointBook {
  readonly #records: RecordSpace<EndpointRecord>

  constructor(records: RecordSpace<EndpointRecord>) {
    this.#records = records
  }

  async list<K extends keyof Kinds>(scope: Scope, kind: K): Promise<readonly Kinds[K][]> {
    return (await this.#records.list(scope, [kind])) as readonly Kinds[K][]
  }

  async require<K extends keyof Kinds>(scope: Scope, kind: K, name: string): Promise<Kinds[K]> {
    const record = await this.#records.get(scope, [kind, name])
    if (record === undefined) throw notFound(kind, name)
    return record as Kinds[K]
  }

  /** By its ARN, which names one that was deleted and created again no longer. */
  async requireArn<K extends keyof Kinds>(scope: Scope, kind: K, arn: string): Promise<Kinds[K]> {
    const [, name = ''] = arn.split('/')
    const record = await this.require(scope, kind, name)
    if (endpointArn(scope, record) !== arn) throw notFound(kind, name)
    return record
  }

  async create(scope: Scope, record: EndpointRecord): Promise<void> {
    const { kind, name } = record
    await this.#records.change(scope, [kind, name], (current) => {
      if (current !== undefined)
        throw new ServiceError('ResourceAlreadyExistsException', `${wordOf(kind)} ${name} already exists.`)
      return record
    })
  }

  async change<K extends keyof Kinds>(
    scope: Scope,
    kind: K,
    name: string,
    decide: (current: Kinds[K]) => Kinds[K] | undefined,
  ): Promise<Kinds[K]> {
    let before: EndpointRecord | undefined
    const changed = await this.#records.change(scope, [kind, name], (current) => {
      if (current === undefined) throw notFound(kind, name)
      before = current
      return decide(current as Kinds[K])
    })
    return (changed ?? before) as Kinds[K]
  }
}

function notFound(kind: keyof Kinds, name: string): ServiceError {
  return new ServiceError(
    'ResourceNotFoundException',
    `Failed to describe the ${kind}(s). ${wordOf(kind)} '${name}' does not exist.`,
  )
}

function wordOf(kind: keyof Kinds): string {
  return kind === 'connection' ? 'Connection' : 'Api-destination'
}
