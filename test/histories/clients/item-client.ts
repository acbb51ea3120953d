import type { Randomness } from '../../support/randomness.ts'
import type { Held, ItemAction, ItemAnswer, ItemOperation } from '../checker/item-operation.ts'
import type { Caller, Outcome } from './caller.ts'
import type { ItemSpace } from './item-space.ts'

export const itemTable = 'items'

export const itemTableDefinition = {
  TableName: itemTable,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
}

export interface NumberItem {
  readonly pk: { readonly S: string }
  readonly n?: { readonly N: string }
}

export function heldBy(item: NumberItem | undefined): Held {
  return item?.n === undefined ? undefined : Number(item.n.N)
}

/** What the clients of a run share. */
export interface ItemHistory {
  readonly space: ItemSpace
  readonly operations: ItemOperation[]
  nextValue: number
  /** Strongly consistent global tables have none. */
  readonly hasNoTransactions?: boolean
}

/** One client that reads, writes, compares, claims, counts and deletes single items, and writes down what it does. */
export class ItemClient {
  readonly #name: string
  readonly #caller: Caller
  readonly #history: ItemHistory
  readonly #random: Randomness

  constructor(name: string, caller: Caller, history: ItemHistory, random: Randomness) {
    this.#name = name
    this.#caller = caller
    this.#history = history
    this.#random = random
  }

  async step(): Promise<void> {
    const random = this.#random
    const { space } = this.#history
    const { key, isCounter } = space.choose(random)
    await this.#carryOut(key, isCounter ? this.#counting() : this.#registering(space.lastSeen(key)))
  }

  /** Whether there was an answer. */
  read(key: string): Promise<boolean> {
    return this.#carryOut(key, { kind: 'read' })
  }

  #counting(): ItemAction {
    return this.#random.chance(0.3) ? { kind: 'read' } : { kind: 'add', amount: this.#history.nextValue++ }
  }

  #registering(expected: Held): ItemAction {
    const choice = this.#random.next()
    if (choice < 0.25) return { kind: 'read' }
    if (choice < 0.35) return { kind: 'delete' }
    const value = this.#history.nextValue++
    if (choice < 0.55) return { kind: 'write', value }
    return { kind: 'compare and set', expected: choice < 0.7 ? undefined : expected, value }
  }

  async #carryOut(key: string, action: ItemAction): Promise<boolean> {
    const startedAtMs = performance.now()
    const { operation, input, answerOf } = requestOf(key, action, this.#random, this.#history)
    const outcome = await this.#caller.call(operation, input)
    const endedAtMs = performance.now()
    const note = (answer: ItemAnswer | undefined): void => {
      const { operations, space } = this.#history
      const times = { startedAtMs, endedAtMs: answer === undefined ? Infinity : endedAtMs }
      operations.push({ id: operations.length, client: this.#name, key, ...times, action, answer })
      space.note(key, action, answer)
    }
    const answer = answerOf(outcome)
    if (answer !== undefined) note(answer)
    // What only read has changed nothing, whether it was answered or not.
    else if (outcome.kind === 'unknown' && action.kind !== 'read') note(undefined)
    return answer !== undefined
  }
}

interface Request {
  readonly operation: string
  readonly input: object
  /** Nothing where the outcome tells nothing. */
  readonly answerOf: (outcome: Outcome) => ItemAnswer | undefined
}

function requestOf(key: string, action: ItemAction, random: Randomness, history: ItemHistory): Request {
  const Key = { pk: { S: key } }
  switch (action.kind) {
    case 'read':
      return {
        operation: 'GetItem',
        input: { TableName: itemTable, Key, ConsistentRead: true },
        answerOf: whenDone((body) => (body as { Item?: NumberItem }).Item),
      }
    case 'delete':
      return {
        operation: 'DeleteItem',
        input: { TableName: itemTable, Key, ReturnValues: 'ALL_OLD' },
        answerOf: whenDone(attributesOf),
      }
    case 'write':
      return {
        operation: 'PutItem',
        input: { TableName: itemTable, Item: { ...Key, n: { N: String(action.value) } }, ReturnValues: 'ALL_OLD' },
        answerOf: whenDone(attributesOf),
      }
    case 'compare and set':
      return compareAndSet(key, action.expected, action.value)
    case 'add':
      return history.hasNoTransactions !== true && random.chance(0.3)
        ? addInTransaction(key, action.amount, history)
        : add(key, action.amount)
  }
}

function attributesOf(body: unknown): NumberItem | undefined {
  return (body as { Attributes?: NumberItem }).Attributes
}

function whenDone(itemOf: (body: unknown) => NumberItem | undefined): Request['answerOf'] {
  return (outcome) =>
    outcome.kind === 'done' ? { isDone: true, before: { held: heldBy(itemOf(outcome.body)) } } : undefined
}

function compareAndSet(key: string, expected: Held, value: number): Request {
  return {
    operation: 'PutItem',
    input: {
      TableName: itemTable,
      Item: { pk: { S: key }, n: { N: String(value) } },
      ReturnValues: 'ALL_OLD',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ...(expected === undefined
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: 'n = :n', ExpressionAttributeValues: { ':n': { N: String(expected) } } }),
    },
    answerOf: (outcome) => {
      if (outcome.kind !== 'refused') return whenDone(attributesOf)(outcome)
      if (outcome.type !== 'ConditionalCheckFailedException') return undefined
      return { isDone: false, before: { held: heldBy((outcome.body as { Item?: NumberItem }).Item) } }
    },
  }
}

function additionOf(key: string, amount: number): object {
  return {
    TableName: itemTable,
    Key: { pk: { S: key } },
    UpdateExpression: 'ADD n :n',
    ExpressionAttributeValues: { ':n': { N: String(amount) } },
  }
}

function add(key: string, amount: number): Request {
  return {
    operation: 'UpdateItem',
    input: { ...additionOf(key, amount), ReturnValues: 'ALL_OLD' },
    answerOf: whenDone(attributesOf),
  }
}

/** The answer tells nothing of what it found. */
function addInTransaction(key: string, amount: number, history: ItemHistory): Request {
  return {
    operation: 'TransactWriteItems',
    input: {
      ClientRequestToken: `item-${history.nextValue++}-${key}`.slice(0, 36),
      TransactItems: [{ Update: additionOf(key, amount) }],
    },
    answerOf: (outcome) => (outcome.kind === 'done' ? { isDone: true } : undefined),
  }
}
