import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'
import type { DefaultContext } from '../schema/attribute.ts'
import type { CursorCodec } from './cursor.ts'
import type { EntityRuntime } from './entity-runtime.ts'
import type { Inputs, Operation, Outputs, Transport } from './request-types.ts'

export type { Request } from './request-types.ts'

/** What the database charged for a result. */
export interface Cost {
  /** Requests sent, repeated ones included. */
  readonly requests: number
  readonly readUnits: number
  readonly writeUnits: number
}

const reads: ReadonlySet<string> = new Set(['GetItem', 'Query', 'Scan', 'BatchGetItem', 'TransactGetItems'])

/** What all functions of one `connect` share. */
export class Connection {
  readonly entities: ReadonlyMap<string, EntityRuntime>
  readonly context: DefaultContext
  readonly capacity: 'TOTAL' | 'INDEXES' | 'NONE'
  readonly cursors: CursorCodec
  readonly maxAttempts: number
  /** Whether items that the model does not know are passed over. */
  readonly skipsUnknown: boolean
  readonly #parts: ConnectionParts

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.entities = parts.entities
    this.context = parts.context
    this.capacity = parts.capacity
    this.cursors = parts.cursors
    this.maxAttempts = parts.maxAttempts
    this.skipsUnknown = parts.skipsUnknown ?? false
  }

  /** The same connection with another time and randomness, or with its requests on record. */
  with(parts: Partial<Pick<ConnectionParts, 'context' | 'transport' | 'entities'>>): Connection {
    return new Connection({ ...this.#parts, ...parts })
  }

  get transport(): Transport {
    return this.#parts.transport
  }

  entity(name: string): EntityRuntime {
    const entity = this.entities.get(name)
    if (entity === undefined) throw new Error(`${name} is not an entity of this model`)
    return entity
  }

  async send<Op extends Operation>(
    operation: Op,
    input: Inputs[Op],
    meter: Meter,
    signal?: AbortSignal,
  ): Promise<Outputs[Op]> {
    const { transport } = this
    const output = await transport(operation, input, signal)
    meter.add(reads.has(operation), output.ConsumedCapacity)
    return output
  }

  /** Waits a little before a repetition: longer each time, and never all callers at once. */
  async pause(attempt: number): Promise<void> {
    const ceilingMs = Math.min(25 * 2 ** attempt, 2000)
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(this.context.random() * ceilingMs)))
  }
}

export interface ConnectionParts {
  readonly transport: Transport
  readonly entities: ReadonlyMap<string, EntityRuntime>
  readonly context: DefaultContext
  readonly capacity: 'TOTAL' | 'INDEXES' | 'NONE'
  readonly cursors: CursorCodec
  readonly maxAttempts: number
  readonly skipsUnknown?: boolean
}

/** Adds up what the requests of one call cost. */
export class Meter {
  requests = 0
  readUnits = 0
  writeUnits = 0

  add(isRead: boolean, consumed: ConsumedCapacity | readonly ConsumedCapacity[] | undefined): void {
    this.requests++
    if (consumed === undefined) return
    if (isArray(consumed)) for (const each of consumed) this.#count(isRead, each.CapacityUnits)
    else this.#count(isRead, consumed.CapacityUnits)
  }

  cost(): Cost {
    return { requests: this.requests, readUnits: this.readUnits, writeUnits: this.writeUnits }
  }

  #count(isRead: boolean, units = 0): void {
    if (isRead) this.readUnits += units
    else this.writeUnits += units
  }
}

function isArray(value: ConsumedCapacity | readonly ConsumedCapacity[]): value is readonly ConsumedCapacity[] {
  return Array.isArray(value)
}
