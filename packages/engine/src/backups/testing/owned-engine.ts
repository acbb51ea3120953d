import { Engine } from '../../engine.ts'
import type { EngineOptions } from '../../engine-options.ts'
import { askedAgainMs } from '../../testing/asking-twice-store.ts'
import { openTestStore, type TestPlace } from '../../testing/open-test-store.ts'
import { toPlain } from '../../wire/raw-json.ts'

export type Plain = Record<string, unknown>

export const scope = { accountId: '123456789012', region: 'eu-west-1' }

/** An engine whose clock stands still until a test moves it. */
export class OwnedEngine {
  readonly engine: Engine
  readonly clock: { nowMs: number }
  /** What went wrong in the background. */
  readonly errors: unknown[]

  private constructor(engine: Engine, clock: { nowMs: number }, errors: unknown[]) {
    this.engine = engine
    this.clock = clock
    this.errors = errors
  }

  static async open(
    place: TestPlace = { memory: true },
    clock = { nowMs: Date.UTC(2026, 0, 2) },
    options: Partial<EngineOptions> = {},
  ): Promise<OwnedEngine> {
    const errors: unknown[] = []
    const engine = await Engine.open({
      store: options.store ?? (await openTestStore(place)),
      clock: { now: () => clock.nowMs + askedAgainMs() },
      onBackgroundError: (error) => errors.push(error),
      ...options,
    })
    return new OwnedEngine(engine, clock, errors)
  }

  async run(operation: string, input: unknown, from = scope): Promise<Plain> {
    return toPlain((await this.engine.execute(from, 'DynamoDB_20120810', operation, input)) ?? {}) as Plain
  }

  /** The first member of the answer, as most answers have but one. */
  async ask(operation: string, input: unknown): Promise<Plain> {
    return Object.values(await this.run(operation, input))[0] as Plain
  }

  /** Keys `pk` and `sk`, a local index by `rank`, a global one by `team` and `rank`, and one that holds keys only. */
  createTable(TableName: string, more: object = {}): Promise<Plain> {
    return this.run('CreateTable', {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        attribute('pk', 'S'),
        attribute('sk', 'N'),
        attribute('rank', 'N'),
        attribute('team', 'S'),
      ],
      KeySchema: keys('pk', 'sk'),
      LocalSecondaryIndexes: [
        { IndexName: 'by-rank', KeySchema: keys('pk', 'rank'), Projection: { ProjectionType: 'ALL' } },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-team',
          KeySchema: keys('team', 'rank'),
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['note'] },
        },
        { IndexName: 'teams', KeySchema: keys('team'), Projection: { ProjectionType: 'KEYS_ONLY' } },
      ],
      ...more,
    })
  }

  async scanAll(TableName: string, IndexName?: string): Promise<Plain[]> {
    const items: Plain[] = []
    let ExclusiveStartKey: unknown
    do {
      const page = await this.run('Scan', {
        TableName,
        ...(IndexName !== undefined && { IndexName }),
        ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey }),
      })
      items.push(...(page['Items'] as Plain[]))
      ExclusiveStartKey = page['LastEvaluatedKey']
    } while (ExclusiveStartKey !== undefined)
    return items
  }
}

/** Items in an order of their own, to compare them whatever order they came in. */
export function sorted(items: Iterable<Plain>): string[] {
  return [...items]
    .map((item) =>
      JSON.stringify(Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))),
    )
    .toSorted()
}

/** What the three indexes of `createTable` show of some items. */
export function indexesOf(items: Iterable<Plain>): Record<string, string[]> {
  const all = [...items]
  const ranked = all.filter((item) => item['rank'] !== undefined)
  const inTeam = all.filter((item) => item['team'] !== undefined)
  const pick = (item: Plain, ...names: string[]): Plain =>
    Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])))
  return {
    'by-rank': sorted(ranked),
    'by-team': sorted(
      ranked
        .filter((item) => item['team'] !== undefined)
        .map((item) => pick(item, 'pk', 'sk', 'rank', 'team', 'note')),
    ),
    teams: sorted(inTeam.map((item) => pick(item, 'pk', 'sk', 'team'))),
  }
}

/** Numbers that a seed decides, from 0 up to `below`. */
export function seededNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function attribute(AttributeName: string, AttributeType: 'S' | 'N'): Plain {
  return { AttributeName, AttributeType }
}

function keys(hash: string, range?: string): Plain[] {
  const schema = [{ AttributeName: hash, KeyType: 'HASH' }]
  return range === undefined ? schema : [...schema, { AttributeName: range, KeyType: 'RANGE' }]
}
