import { describe, expect, test } from 'vitest'
import { seedOfRun, Randomness } from '../../support/randomness.ts'
import { checkItems } from './check-items.ts'
import {
  applyItemAction,
  type Held,
  type ItemAction,
  type ItemAnswer,
  type ItemOperation,
} from './item-operation.ts'

type Times = readonly [startedAtMs: number, endedAtMs: number]
type Does = readonly [Times, ItemAction, ItemAnswer?]

function operations(...all: readonly Does[]): readonly ItemOperation[] {
  return all.map(([[startedAtMs, endedAtMs], action, answer], id) => ({
    id,
    client: 'client',
    key: 'x',
    startedAtMs,
    endedAtMs: answer === undefined ? Infinity : endedAtMs,
    action,
    answer,
  }))
}

function kindsIn(...all: readonly Does[]): readonly string[] {
  return checkItems(operations(...all)).map(({ kind }) => kind)
}

const read: ItemAction = { kind: 'read' }
const write = (value: number): ItemAction => ({ kind: 'write', value })
const add = (amount: number): ItemAction => ({ kind: 'add', amount })
const set = (expected: Held, value: number): ItemAction => ({ kind: 'compare and set', expected, value })
const done: ItemAnswer = { isDone: true }
const before = (held: Held, isDone = true): ItemAnswer => ({ isDone, before: { held } })

describe('it accepts', () => {
  test('operations one after the other', () => {
    expect(
      kindsIn(
        [[0, 1], read, before(undefined)],
        [[2, 3], set(undefined, 1), done],
        [[4, 5], set(1, 2), done],
        [[6, 7], set(1, 3), before(2, false)],
        [[8, 9], { kind: 'delete' }, before(2)],
        [[10, 11], add(5), before(undefined)],
        [[12, 13], read, before(5)],
      ),
    ).toEqual([])
  })

  test('reads during a write that see what was and what will be', () => {
    expect(
      kindsIn([[0, 10], write(1), done], [[1, 2], read, before(undefined)], [[3, 4], read, before(1)]),
    ).toEqual([])
  })

  test('a write without an answer that happens late, or never', () => {
    const unknown: Does = [[0, 1], write(1)]
    const late: Does[] = [unknown, [[5, 6], read, before(undefined)]]
    expect(kindsIn(...late)).toEqual([])
    expect(kindsIn(...late, [[7, 8], read, before(1)])).toEqual([])
  })
})

describe('it finds', () => {
  test('a stale read', () => {
    expect(kindsIn([[0, 1], write(1), done], [[2, 3], read, before(undefined)])).toEqual(['not linearizable'])
  })

  test('reads that go back', () => {
    expect(
      kindsIn([[0, 10], write(1), done], [[1, 2], read, before(1)], [[3, 4], read, before(undefined)]),
    ).toEqual(['not linearizable'])
  })

  test('an increment that was lost, and one that was made twice', () => {
    expect(kindsIn([[0, 5], add(1), before(undefined)], [[0, 5], add(1), before(undefined)])).toHaveLength(1)
    expect(kindsIn([[0, 1], add(1), before(undefined)], [[2, 3], read, before(2)])).toHaveLength(1)
    expect(kindsIn([[0, 1], add(1)], [[2, 3], read, before(2)])).toHaveLength(1)
  })

  test('a name that two have claimed', () => {
    expect(kindsIn([[0, 5], set(undefined, 1), done], [[0, 5], set(undefined, 2), done])).toHaveLength(1)
  })

  test('a claim that was refused though nobody holds the name, and one that was refused and written', () => {
    expect(kindsIn([[0, 5], set(undefined, 1), { isDone: false }])).toHaveLength(1)
    expect(
      kindsIn([[0, 1], write(1), done], [[2, 3], set(undefined, 2), { isDone: false }], [[4, 5], read, before(2)]),
    ).toHaveLength(1)
  })

  test('two comparisons that both found the same', () => {
    expect(kindsIn([[0, 1], write(1), done], [[2, 5], set(1, 2), done], [[2, 5], set(1, 3), done])).toHaveLength(1)
  })

  test('a write that came back after it was replaced', () => {
    expect(
      kindsIn(
        [[0, 1], write(1), done],
        [[2, 3], write(2), before(1)],
        [[4, 5], read, before(2)],
        [[6, 7], read, before(1)],
      ),
    ).toHaveLength(1)
  })

  test('what nobody wrote, and what an operation without an answer cannot have done', () => {
    expect(kindsIn([[0, 1], read, before(7)])).toHaveLength(1)
    expect(kindsIn([[0, 1], set(3, 7)], [[2, 3], read, before(7)])).toHaveLength(1)
  })
})

test('the explanation is the shortest beginning that is wrong', () => {
  const [anomaly] = checkItems(
    operations(
      [[0, 1], write(1), done],
      [[2, 3], read, before(undefined)],
      ...Array.from({ length: 50 }, (_, n): Does => [[10 + n, 10.5 + n], write(100 + n), done]),
    ),
  )
  expect(anomaly?.explanation).toBe(
    [
      'no order explains these operations on x:',
      '  O0 (client, 0.000–1.000 ms): write 1: done',
      '  O1 (client, 2.000–3.000 ms): read: done, and it held nothing',
    ].join('\n'),
  )
})

test('what a stopped server leaves without an answer is decided, however much it is', () => {
  const lost = Array.from({ length: 30 }, (_, n): Does => {
    const action = [write(100 + n), set(1, 200 + n), { kind: 'delete' } as const][n % 3] ?? read
    return [[10 + n, 0], action]
  })
  const written: Does = [[0, 1], write(1), done]
  expect(kindsIn(written, ...lost, [[90, 91], read, before(1)])).toEqual([])
  expect(kindsIn(written, ...lost, [[90, 91], read, before(213)])).toEqual([])
  expect(kindsIn(written, ...lost, [[90, 91], read, before(999)])).toEqual(['not linearizable'])
})

const seed = seedOfRun()

test('long histories of many clients, with answers that were lost, are decided', () => {
  for (let n = 0; n < 20; n++) {
    const history = simulate(new Randomness(seed + n), 300, 12)
    expect(checkItems(history), `HASHRANGE_SEED=${seed + n}`).toEqual([])
  }
})

test('small histories, right and wrong ones, are judged as by trying every order', { timeout: 60_000 }, () => {
  const counts = { right: 0, wrong: 0 }
  for (let n = 0; n < 2_000; n++) {
    const random = new Randomness(seed + n)
    const history = simulate(random, random.between(2, 6), 3, n % 2 === 0).map((operation) =>
      // Some answers are made wrong, or at least others than they were.
      operation.answer !== undefined && random.chance(0.15)
        ? {
            ...operation,
            answer: { isDone: random.chance(0.5), before: { held: random.oneOf([undefined, 1, 2]) } },
          }
        : operation,
    )
    const isRight = canBeOrdered(new Set(history), undefined)
    counts[isRight ? 'right' : 'wrong']++
    expect(checkItems(history).length === 0, `HASHRANGE_SEED=${seed + n}: ${JSON.stringify(history)}`).toBe(isRight)
  }
  expect(Math.min(counts.right, counts.wrong)).toBeGreaterThan(100)
})

/** What clients see of an item that is right. */
function simulate(
  random: Randomness,
  count: number,
  clients: number,
  isRegister = false,
): readonly ItemOperation[] {
  const history: ItemOperation[] = []
  const running = new Map<number, { readonly operation: ItemOperation; readonly isDecided: boolean }>()
  let held: Held
  for (let nowMs = 0; history.length < count; nowMs++) {
    const client = random.between(0, clients - 1)
    const known = running.get(client)
    if (known === undefined) {
      const action = random.oneOf<ItemAction>([
        read,
        write(nowMs),
        isRegister ? write(1) : add(random.between(1, 9)),
        { kind: 'delete' },
        set(held, nowMs),
        set(random.oneOf([undefined, 1]), nowMs),
      ])
      const times = { startedAtMs: nowMs, endedAtMs: Infinity }
      const operation = { id: nowMs, client: `c${client}`, key: 'x', ...times, action, answer: undefined }
      running.set(client, { operation, isDecided: false })
    } else if (!known.isDecided) {
      const { operation } = known
      const isDone = operation.action.kind !== 'compare and set' || operation.action.expected === held
      const answer = random.chance(isRegister ? 0.9 : 0.5) ? before(held, isDone) : { isDone }
      held = applyItemAction(held, { ...operation, answer: undefined })?.held
      running.set(client, { operation: { ...operation, answer }, isDecided: true })
    } else {
      running.delete(client)
      const isLost = random.chance(isRegister ? 0.3 : 0.05)
      history.push(isLost ? { ...known.operation, answer: undefined } : { ...known.operation, endedAtMs: nowMs })
    }
  }
  for (const { operation } of running.values()) history.push({ ...operation, answer: undefined })
  return history
}

function canBeOrdered(left: ReadonlySet<ItemOperation>, held: Held): boolean {
  if ([...left].every(({ answer }) => answer === undefined)) return true
  const firstEndMs = Math.min(...[...left].map(({ endedAtMs }) => endedAtMs))
  return [...left].some((operation) => {
    if (operation.startedAtMs > firstEndMs) return false
    const after = applyItemAction(held, operation)
    if (after === undefined) return false
    return canBeOrdered(new Set([...left].filter((other) => other !== operation)), after.held)
  })
}
