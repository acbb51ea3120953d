import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openLmdbStore } from '../store/lmdb-store.ts'
import { StorageError } from '../store/storage-error.ts'
import { sequenceAt } from '../store/sequence.ts'
import type { Store, StoreTime } from '../store/store.ts'
import { readClockRecord } from './clock-record.ts'
import type { FollowedClock } from './followed-clock.ts'
import { openFollowedClock } from './open-clock.ts'

const hourMs = 3_600_000
const startMs = Date.UTC(2026, 2, 1)

/** A machine whose clock is set and which sleeps as a test wants it. */
class Machine {
  wallMs = startMs
  counterMs = 50_000
  uptimeMs = 90_000
  waitsAfterWallMs = 0

  readonly sources = {
    wall: () => {
      const shownMs = this.wallMs
      this.run(this.waitsAfterWallMs)
      return shownMs
    },
    counter: () => this.counterMs,
    uptime: () => this.uptimeMs,
  }

  run(ms: number): void {
    this.wallMs += ms
    this.counterMs += ms
    this.uptimeMs += ms
  }

  sleep(ms: number): void {
    this.wallMs += ms
    this.uptimeMs += ms
  }
}

let store: Store
let machine: Machine
let told: string[]

beforeEach(async () => {
  store = await openLmdbStore({ memory: true })
  machine = new Machine()
  told = []
})

afterEach(() => store.close())

const onClock = (sentence: string): void => void told.push(sentence)

async function runFor(clock: FollowedClock, ms: number, each: () => void = () => undefined): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    machine.run(1_000)
    await clock.tick()
    each()
  }
}

describe('on a machine of its own', () => {
  const open = (): Promise<FollowedClock> => openFollowedClock({ store, onClock }, machine.sources)

  test('time goes on between readings, and is steady', async () => {
    const clock = await open()
    machine.run(700)
    expect(clock.now()).toBe(startMs + 700)
    expect(clock.steady()).toBe(startMs + 700)
    expect(clock.settled()).toBeGreaterThan(startMs + 698)
    expect(clock.ago(500)).toBeLessThanOrEqual(startMs + 200)
  })

  test('a process that has to wait while it reads the clock is not behind afterwards', async () => {
    const clock = await open()
    machine.run(1_000)
    // Others run for a while between one reading and the next.
    machine.waitsAfterWallMs = 90
    await clock.tick()
    machine.waitsAfterWallMs = 0
    expect(machine.wallMs - clock.now()).toBeLessThanOrEqual(1)
    await runFor(clock, 2_000)
    expect(machine.wallMs - clock.now()).toBe(0)
  })

  test('small corrections never take time back', async () => {
    const clock = await open()
    let last = clock.now()
    for (let count = 0; count < 20; count++) {
      machine.wallMs += count % 2 === 0 ? 600 : -600
      await runFor(clock, 1_000, () => {
        expect(clock.now()).toBeGreaterThanOrEqual(last)
        last = clock.now()
      })
    }
    expect(told).toEqual([])
    expect((await readClockRecord(store)).eras).toHaveLength(1)
    expect(Math.abs(clock.now() - machine.wallMs)).toBeLessThanOrEqual(600)
  })

  test('a clock that jumps to and fro is not followed', async () => {
    const clock = await open()
    for (let count = 0; count < 60; count++) {
      machine.wallMs += count % 2 === 0 ? hourMs : -hourMs
      await runFor(clock, 1_000)
    }
    expect(clock.now()).toBe(startMs + 60_000)
    expect(told).toEqual([])
  })

  test('a clock that is set back is followed, and steady time goes on', async () => {
    const clock = await open()
    await runFor(clock, 5_000)
    let steadyMs = clock.steady()
    machine.wallMs -= hourMs
    await runFor(clock, 10_000, () => {
      expect(clock.steady()).toBeGreaterThanOrEqual(steadyMs)
      expect(clock.steady()).toBeLessThanOrEqual(steadyMs + 1_001)
      steadyMs = clock.steady()
    })
    expect(clock.now()).toBe(machine.wallMs)
    expect(clock.settled()).toBeGreaterThan(machine.wallMs - 10)
    expect(told).toEqual([expect.stringMatching(/process \d+.* was set back by 1 hour\./)])
    expect((await readClockRecord(store)).eras).toEqual(clock.look().eras)
    expect(clock.look().eras).toHaveLength(2)
  })

  test('a clock that is set forward is followed, and nothing is deleted for it at first', async () => {
    const clock = await open()
    await runFor(clock, 5_000)
    machine.wallMs += 24 * hourMs
    await runFor(clock, 10_000)
    expect(clock.now()).toBe(machine.wallMs)
    expect(clock.settled()).toBeLessThanOrEqual(startMs + 15_000)
    expect(clock.ago(60_000)).toBeLessThanOrEqual(startMs - 45_000)
    expect(told).toEqual([expect.stringContaining('was set forward by 1 day.')])
    await runFor(clock, 15 * 60_000)
    expect(clock.settled()).toBeGreaterThan(machine.wallMs - 10)
  })

  test('set forward and right again, it has deleted nothing, and goes on as if nothing had happened', async () => {
    const clock = await open()
    await runFor(clock, 5_000)
    machine.wallMs += 365 * 24 * hourMs
    await runFor(clock, 10 * 60_000)
    machine.wallMs -= 365 * 24 * hourMs
    await runFor(clock, 5_000)
    expect(clock.now()).toBe(machine.wallMs)
    expect(clock.settled()).toBeGreaterThan(machine.wallMs - 10)
    expect(clock.ago(24 * hourMs)).toBeLessThanOrEqual(machine.wallMs - 24 * hourMs)
  })

  test('a machine that has slept has the time at once, and believes it', async () => {
    const clock = await open()
    await runFor(clock, 5_000)
    machine.sleep(8 * hourMs)
    await runFor(clock, 1_000)
    expect(clock.now()).toBe(machine.wallMs)
    expect(clock.settled()).toBeGreaterThan(machine.wallMs - 10)
    expect(told).toEqual([])
  })

  test('a clock that was set back while nobody looked is found out by the data', async () => {
    await store.transact([], () => ({
      writes: [{ kind: 'append', log: Buffer.from('log'), atMs: startMs + hourMs, value: Buffer.of(1) }],
      answer: undefined,
    }))
    const clock = await open()
    expect(clock.now()).toBe(startMs)
    expect(sequenceAt(clock.steady())).toBeGreaterThan((await store.lastSequence?.()) ?? 0n)
    expect(told).toEqual([expect.stringContaining('is 1 hour behind the newest change in the data')])
    told = []
    const again = await open()
    expect(again.steady()).toBe(clock.steady())
    expect(told).toEqual([])
  })

  test('a clock of another century is refused, and not followed', async () => {
    machine.wallMs = Date.UTC(2345, 0)
    await expect(open()).rejects.toMatchObject({
      code: 'clock',
      message: expect.stringContaining('2345-') as string,
    })
    machine.wallMs = startMs
    const clock = await open()
    machine.wallMs = Date.UTC(2345, 0)
    await runFor(clock, 10_000)
    expect(clock.now()).toBe(startMs + 10_000)
  })
})

describe('on a database', () => {
  let databaseAheadMs: number
  let isAway: boolean
  let tookMs: number
  let asked: number

  beforeEach(() => {
    databaseAheadMs = 0
    isAway = false
    tookMs = 4
    asked = 0
  })

  /** Servers that share a store and have machines of their own would differ in their wall clock alone. */
  const open = (wallAheadMs = 0, maxClockOffsetMs?: number): Promise<FollowedClock> => {
    const time = (): Promise<StoreTime> => {
      asked++
      if (isAway) return Promise.reject(new StorageError('unavailable', 'away'))
      const atMs = startMs + machine.counterMs + databaseAheadMs
      machine.run(tookMs)
      return Promise.resolve({ atMs: atMs + tookMs / 3, tookMs })
    }
    const shared: Store = {
      shared: true,
      time,
      lastSequence: () => store.lastSequence?.() ?? 0n,
      view: (read) => store.view(read),
      openSnapshot: () => store.openSnapshot(),
      transact: (keys, decide) => store.transact(keys, decide),
      close: () => Promise.resolve(),
    }
    const wall = (): number => startMs + machine.counterMs + wallAheadMs
    return openFollowedClock({ store: shared, onClock, maxClockOffsetMs }, { ...machine.sources, wall })
  }

  const databaseMs = (): number => startMs + machine.counterMs + databaseAheadMs

  test('all servers have its time, whatever their own clocks say', async () => {
    const aheads = [-hourMs, 0, hourMs, 25 * hourMs]
    const clocks = []
    for (const ahead of aheads) clocks.push(await open(ahead, 48 * hourMs))
    for (const clock of clocks) {
      expect(Math.abs(clock.now() - databaseMs())).toBeLessThanOrEqual(3)
      expect(clock.settled()).toBeLessThanOrEqual(databaseMs())
      expect(clock.settled()).toBeGreaterThan(databaseMs() - 10)
    }
    expect(told).toHaveLength(3)
    expect(told[0]).toMatch(/^The clock of this server \(.+, process \d+\) is 1 hour behind the database's\./)
    expect(told[2]).toContain('is 1 day 1 hour ahead of the database')
  })

  test('a server whose clock is off by more than a bound is refused, and told what to do', async () => {
    await expect(open(hourMs)).rejects.toMatchObject({
      code: 'clock',
      message: expect.stringMatching(/1 hour ahead of .* At most 5 minutes is allowed\.$/) as string,
      problem: { kind: 'clock-off' },
    })
    await expect(open(-hourMs)).rejects.toMatchObject({ code: 'clock' })
    await expect(open(4 * 60_000)).resolves.toBeDefined()
  })

  test('it is asked now and then, and time goes on while it is away', async () => {
    const clock = await open()
    asked = 0
    await runFor(clock, 60_000)
    expect(asked).toBeLessThanOrEqual(7)
    isAway = true
    await runFor(clock, 60_000)
    expect(Math.abs(clock.now() - databaseMs())).toBeLessThanOrEqual(3)
    expect(clock.offset.errorMs).toBeLessThan(50)
  })

  test('an answer that takes long is not trusted more than it deserves', async () => {
    const clock = await open()
    tookMs = 8_000
    await runFor(clock, 60_000)
    expect(Math.abs(clock.now() - databaseMs())).toBeLessThan(40)
    expect(clock.look().eras).toHaveLength(1)
  })

  test('set back, it is followed by all servers, in one steady time', async () => {
    const clocks = [await open(), await open(), await open()]
    await Promise.all(clocks.map((clock) => clock.tick()))
    databaseAheadMs = -hourMs
    let steadyMs = clocks.map((clock) => clock.steady())
    for (let count = 0; count < 30; count++) {
      machine.run(1_000)
      for (const clock of clocks) await clock.tick()
      clocks.forEach((clock, index) => expect(clock.steady()).toBeGreaterThanOrEqual(steadyMs[index] ?? 0))
      steadyMs = clocks.map((clock) => clock.steady())
    }
    const late = await open(0, 2 * hourMs)
    for (const clock of [...clocks, late]) {
      expect(Math.abs(clock.now() - databaseMs())).toBeLessThanOrEqual(10)
      expect(Math.abs(clock.steady() - (clocks[0]?.steady() ?? 0))).toBeLessThan(50)
    }
    expect((await readClockRecord(store)).eras.length).toBe(2)
  })

  test('a server that was not there when the others saw it set back learns of it', async () => {
    const early = await open()
    databaseAheadMs = -hourMs
    const newcomer = await open(0, 2 * hourMs)
    expect(newcomer.now()).toBeLessThan(early.now())
    for (let count = 0; count < 30; count++) {
      machine.run(1_000)
      await early.tick()
      await newcomer.tick()
    }
    expect(Math.abs(early.now() - newcomer.now())).toBeLessThan(20)
    expect(Math.abs(early.steady() - newcomer.steady())).toBeLessThan(50)
  })

  test('a server that stood still catches up as soon as it looks', async () => {
    const clock = await open()
    await runFor(clock, 5_000)
    // The machine was halted: nothing but the others' time has gone on.
    databaseAheadMs += 2 * hourMs
    await clock.refresh()
    expect(Math.abs(clock.now() - databaseMs())).toBeLessThanOrEqual(10)
    expect(clock.settled()).toBeLessThanOrEqual(databaseMs() - 2 * hourMs)
  })
})
