import type {
  BatchGetItemCommandInput,
  BatchGetItemCommandOutput,
  BatchWriteItemCommandInput,
  BatchWriteItemCommandOutput,
  ConsumedCapacity,
  DeleteItemCommandInput,
  DeleteItemCommandOutput,
  DynamoDBClient,
  GetItemCommand,
  GetItemCommandInput,
  GetItemCommandOutput,
  PutItemCommandInput,
  PutItemCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  ScanCommandInput,
  ScanCommandOutput,
  TransactGetItemsCommandInput,
  TransactGetItemsCommandOutput,
  TransactWriteItemsCommandInput,
  TransactWriteItemsCommandOutput,
  UpdateItemCommandInput,
  UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb'
import type { DefaultContext } from '../schema/attribute.ts'
import type { CursorCodec } from './cursor.ts'
import type { EntityRuntime } from './entity-runtime.ts'
import { commands } from './sdk-commands.ts'

/** What the database charged for a result. */
export interface Cost {
  /** Requests sent, repeated ones included. */
  readonly requests: number
  readonly readUnits: number
  readonly writeUnits: number
}

/** A request exactly as it is sent. */
export type Request = {
  readonly [Op in Operation]: { readonly operation: Op; readonly input: Inputs[Op] }
}[Operation]

export interface Inputs {
  GetItem: GetItemCommandInput
  Query: QueryCommandInput
  Scan: ScanCommandInput
  BatchGetItem: BatchGetItemCommandInput
  TransactGetItems: TransactGetItemsCommandInput
  PutItem: PutItemCommandInput
  UpdateItem: UpdateItemCommandInput
  DeleteItem: DeleteItemCommandInput
  BatchWriteItem: BatchWriteItemCommandInput
  TransactWriteItems: TransactWriteItemsCommandInput
}

interface Outputs {
  GetItem: GetItemCommandOutput
  Query: QueryCommandOutput
  Scan: ScanCommandOutput
  BatchGetItem: BatchGetItemCommandOutput
  TransactGetItems: TransactGetItemsCommandOutput
  PutItem: PutItemCommandOutput
  UpdateItem: UpdateItemCommandOutput
  DeleteItem: DeleteItemCommandOutput
  BatchWriteItem: BatchWriteItemCommandOutput
  TransactWriteItems: TransactWriteItemsCommandOutput
}

type Operation = keyof Inputs

const reads: ReadonlySet<string> = new Set(['GetItem', 'Query', 'Scan', 'BatchGetItem', 'TransactGetItems'])

/** What all functions of one `connect` share. */
export class Connection {
  readonly entities: ReadonlyMap<string, EntityRuntime>
  readonly context: DefaultContext
  readonly capacity: 'TOTAL' | 'INDEXES' | 'NONE'
  readonly cursors: CursorCodec
  readonly maxAttempts: number
  readonly #client: Pick<DynamoDBClient, 'send'>

  constructor(parts: {
    readonly client: Pick<DynamoDBClient, 'send'>
    readonly entities: ReadonlyMap<string, EntityRuntime>
    readonly context: DefaultContext
    readonly capacity: 'TOTAL' | 'INDEXES' | 'NONE'
    readonly cursors: CursorCodec
    readonly maxAttempts: number
  }) {
    this.#client = parts.client
    this.entities = parts.entities
    this.context = parts.context
    this.capacity = parts.capacity
    this.cursors = parts.cursors
    this.maxAttempts = parts.maxAttempts
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
    // The compiler cannot see that the command and its input belong together.
    const Command = commands[operation] as unknown as new (input: Inputs[Op]) => GetItemCommand
    const options = signal === undefined ? undefined : { abortSignal: signal }
    const output = (await this.#client.send(new Command(input), options)) as unknown as Outputs[Op]
    meter.add(reads.has(operation), output.ConsumedCapacity)
    return output
  }

  /** Waits a little before a repetition: longer each time, and never all callers at once. */
  async pause(attempt: number): Promise<void> {
    const ceilingMs = Math.min(25 * 2 ** attempt, 2000)
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(this.context.random() * ceilingMs)))
  }
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
