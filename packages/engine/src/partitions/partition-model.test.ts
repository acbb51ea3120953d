import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { KeyBoundary } from './key-boundary.ts'
import type { Side } from './partition-limits.ts'
import { PartitionModel, type CapacitySettings } from './partition-model.ts'

/** Every expectation here is computed by hand from what the service publishes; docs/decisions/0008-capacity.md says where. */

const startMs = Date.UTC(2026, 0, 1)
const secondMs = 1_000
const minuteMs = 60_000

const provisioned = (read: number, write: number, more: Partial<CapacitySettings> = {}): CapacitySettings => ({
  mode: 'PROVISIONED',
  read,
  write,
  warmRead: read,
  warmWrite: write,
  maximumRead: undefined,
  maximumWrite: undefined,
  divisible: false,
  ...more,
})

const onDemand = (more: Partial<CapacitySettings> = {}): CapacitySettings => ({
  ...provisioned(0, 0),
  mode: 'PAY_PER_REQUEST',
  warmRead: 12_000,
  warmWrite: 4_000,
  ...more,
})

/** A key in the store: header, hash of the partition key, sort key. */
function keyOf(partitionKey: string, sortKey = ''): Uint8Array {
  const hash = createHash('sha256').update(partitionKey).digest().subarray(0, 16)
  return Buffer.concat([Buffer.alloc(5), hash, Buffer.from(sortKey)])
}

/** A key whose hash begins with these bytes. */
function keyAt(hash: number, sortKey = ''): Uint8Array {
  const key = Buffer.alloc(21)
  key.writeUInt32BE(hash, 5)
  return Buffer.concat([key, Buffer.from(sortKey)])
}

/** A model and a clock that the test owns. Counts how many of some requests of one unit are let in. */
class Simulation {
  readonly model: PartitionModel
  nowMs = startMs
  #turn = 0

  constructor(settings: CapacitySettings) {
    this.model = new PartitionModel(settings, startMs, startMs)
  }

  wait(ms: number): void {
    this.nowMs += ms
    this.model.tick(this.nowMs)
  }

  send(side: Side, key: Uint8Array, units = 1): boolean {
    const partition = this.model.partitionOf(key)
    const isLetIn = this.model.admits(side, partition, this.nowMs)
    if (isLetIn) {
      this.model.charge(side, partition, units, this.nowMs)
      partition.use.count(side, units, Math.floor(this.nowMs / 1000))
      partition.sample(key, units, this.nowMs)
    }
    this.model.tick(this.nowMs)
    return isLetIn
  }

  /** How many of `count` requests at one moment are let in; keys in turn. */
  sendMany(side: Side, count: number, keys: readonly Uint8Array[]): number {
    let letIn = 0
    for (let at = 0; at < count; at++) if (this.send(side, keys[this.#turn++ % keys.length] ?? keyOf(''))) letIn++
    return letIn
  }

  why(side: Side, key: Uint8Array): readonly string[] {
    return this.model.exhaustions(side, this.model.partitionOf(key), this.nowMs)
  }
}

const evenKeys = Array.from({ length: 1_000 }, (_, part) => keyAt(Math.floor((2 ** 32 * part) / 1_000)))

describe('the first partitions', () => {
  test.each([
    // RCU / 3,000 + WCU / 1,000, rounded up.
    { settings: provisioned(5, 5), partitions: 1 },
    { settings: provisioned(3_000, 0), partitions: 1 },
    { settings: provisioned(3_000, 1), partitions: 2 },
    { settings: provisioned(1_500, 500), partitions: 1 },
    { settings: provisioned(6_000, 2_000), partitions: 4 },
    { settings: provisioned(40_000, 40_000), partitions: 54 },
    // A table on demand serves 12,000 reads and 4,000 writes from the start: four partitions.
    { settings: onDemand(), partitions: 4 },
    // Warmed up: as many as serve that at once.
    { settings: onDemand({ warmRead: 30_000, warmWrite: 4_000 }), partitions: 10 },
    { settings: onDemand({ warmRead: 12_000, warmWrite: 40_000 }), partitions: 40 },
    { settings: provisioned(5, 5, { warmRead: 12_000, warmWrite: 4_000 }), partitions: 4 },
  ])(
    '$settings.mode $settings.read/$settings.write warm $settings.warmRead/$settings.warmWrite: $partitions',
    ({ settings, partitions }) => {
      expect(new PartitionModel(settings, startMs, startMs).partitions).toHaveLength(partitions)
    },
  )

  test('hold all keys between them, each once', () => {
    const { partitions } = new PartitionModel(onDemand(), startMs, startMs)
    expect(partitions.map(({ from, to }) => [from.hex, to?.hex])).toEqual([
      ['00000000', '40000000'],
      ['40000000', '80000000'],
      ['80000000', 'c0000000'],
      ['c0000000', undefined],
    ])
  })

  test('follow the provisioned throughput up, and stay when it goes down', () => {
    const { model } = new Simulation(provisioned(100, 100))
    model.configure(provisioned(6_000, 2_000), startMs)
    expect(model.partitions).toHaveLength(4)
    model.configure(provisioned(100, 100), startMs)
    expect(model.partitions).toHaveLength(4)
  })
})

describe('the size of partitions', () => {
  test.each([
    { gigabytes: 9, partitions: 1 },
    { gigabytes: 10, partitions: 1 },
    { gigabytes: 11, partitions: 2 },
    { gigabytes: 21, partitions: 4 },
  ])('$gigabytes GB of evenly spread keys in a small table: $partitions', ({ gigabytes, partitions }) => {
    const { model } = new Simulation(provisioned(5, 5))
    model.grow(gigabytes * 2 ** 30, startMs)
    expect(model.partitions).toHaveLength(partitions)
  })
})

describe('one partition', () => {
  test.each([
    { side: 'write' as const, units: 1_000 },
    { side: 'read' as const, units: 3_000 },
  ])('takes $units $side units a second of one key, and no burst', ({ side, units }) => {
    const simulation = new Simulation(onDemand())
    simulation.wait(10 * minuteMs)
    expect(simulation.sendMany(side, 5_000, [keyOf('CELEBRITY')])).toBe(units)
    expect(simulation.why(side, keyOf('CELEBRITY'))).toEqual(['KeyRangeThroughput'])
    simulation.wait(500)
    expect(simulation.sendMany(side, 5_000, [keyOf('CELEBRITY')])).toBe(units / 2)
  })

  test('leaves other key ranges alone', () => {
    const simulation = new Simulation(onDemand())
    simulation.sendMany('write', 5_000, [keyAt(0)])
    expect(simulation.send('write', keyAt(0))).toBe(false)
    expect(simulation.send('write', keyAt(2 ** 31))).toBe(true)
    expect(simulation.send('read', keyAt(0))).toBe(true)
  })

  test('lets a large request in while anything is left, and makes the next ones wait for it', () => {
    const simulation = new Simulation(onDemand())
    expect(simulation.send('write', keyAt(0), 2_500)).toBe(true)
    expect(simulation.send('write', keyAt(0))).toBe(false)
    simulation.wait(1_499)
    expect(simulation.send('write', keyAt(0))).toBe(false)
    simulation.wait(2)
    expect(simulation.send('write', keyAt(0))).toBe(true)
  })
})

describe('provisioned throughput', () => {
  test('is used up by its units, a second after the table came to be', () => {
    const simulation = new Simulation(provisioned(100, 10))
    expect(simulation.sendMany('write', 50, evenKeys)).toBe(10)
    expect(simulation.why('write', keyOf('any'))).toEqual(['ProvisionedThroughput'])
    expect(simulation.sendMany('read', 500, evenKeys)).toBe(100)
  })

  test.each([
    // What was not used is saved, for 300 seconds.
    { idleMs: 9 * secondMs, burst: 100 },
    { idleMs: 299 * secondMs, burst: 3_000 },
    { idleMs: 300 * secondMs, burst: 3_000 },
    { idleMs: 3_600 * secondMs, burst: 3_000 },
  ])('of 10 a second after $idleMs ms of nothing: a burst of $burst', ({ idleMs, burst }) => {
    const simulation = new Simulation(provisioned(10, 10))
    simulation.wait(idleMs)
    expect(simulation.sendMany('read', 3_000, evenKeys)).toBe(burst)
  })

  test('goes on at its rate when the burst is used up', () => {
    const simulation = new Simulation(provisioned(10, 10))
    simulation.wait(300 * secondMs)
    simulation.sendMany('read', 3_000, evenKeys)
    for (let second = 0; second < 5; second++) {
      simulation.wait(secondMs)
      expect(simulation.sendMany('read', 100, evenKeys)).toBe(10)
    }
  })

  test('is there for one partition as for all of them, up to what a partition takes', () => {
    // 6,000 / 3,000 + 2,000 / 1,000: four partitions with a share of 500 writes each.
    const simulation = new Simulation(provisioned(6_000, 2_000))
    expect(simulation.model.partitions).toHaveLength(4)
    expect(simulation.sendMany('write', 3_000, [keyAt(0)])).toBe(1_000)
    expect(simulation.why('write', keyAt(0))).toEqual(['KeyRangeThroughput'])
    expect(simulation.sendMany('write', 3_000, [keyAt(2 ** 31)])).toBe(1_000)
    // Now the whole table has had its 2,000.
    expect(simulation.sendMany('write', 3_000, [keyAt(2 ** 32 - 1)])).toBe(0)
    expect(simulation.why('write', keyAt(2 ** 32 - 1))).toEqual(['ProvisionedThroughput'])
  })

  test('keeps what was saved when it is raised, and no more than fits when it is lowered', () => {
    const simulation = new Simulation(provisioned(10, 10))
    simulation.wait(100 * secondMs)
    simulation.model.configure(provisioned(20, 10), simulation.nowMs)
    expect(simulation.sendMany('read', 3_000, evenKeys)).toBe(1_010)
    simulation.wait(300 * secondMs)
    simulation.model.configure(provisioned(1, 10), simulation.nowMs)
    expect(simulation.sendMany('read', 3_000, evenKeys)).toBe(300)
  })
})

describe('a table on demand', () => {
  /** Sends evenly spread writes for a second, ten times in it, and tells how many were let in. */
  function second(simulation: Simulation, writes: number): number {
    let letIn = 0
    for (let tenth = 0; tenth < 10; tenth++) {
      letIn += simulation.sendMany('write', writes / 10, evenKeys)
      simulation.wait(100)
    }
    return letIn
  }

  test('takes 4,000 writes a second at first', () => {
    const simulation = new Simulation(onDemand())
    expect(simulation.sendMany('write', 10_000, evenKeys)).toBe(4_000)
    expect(simulation.why('write', keyAt(0))).toEqual(['KeyRangeThroughput'])
  })

  test('takes twice its previous peak half an hour later', () => {
    const simulation = new Simulation(onDemand())
    expect(second(simulation, 3_000)).toBe(3_000)
    expect(simulation.model.capacity('write', simulation.nowMs)).toBe(4_000)
    simulation.wait(29 * minuteMs)
    expect(simulation.model.capacity('write', simulation.nowMs)).toBe(4_000)
    simulation.wait(minuteMs)
    expect(simulation.model.capacity('write', simulation.nowMs)).toBe(6_000)
    expect(simulation.model.partitions).toHaveLength(6)
    expect(second(simulation, 6_000)).toBe(6_000)
    expect(simulation.model.capacity('write', simulation.nowMs)).toBe(6_000)
    simulation.wait(30 * minuteMs)
    expect(simulation.model.capacity('write', simulation.nowMs)).toBe(12_000)
    expect(simulation.model.partitions).toHaveLength(12)
  })

  test('does not grow with traffic below half of what it takes', () => {
    const simulation = new Simulation(onDemand())
    second(simulation, 2_000)
    simulation.wait(60 * minuteMs)
    expect(simulation.model.capacity('write', simulation.nowMs)).toBe(4_000)
  })

  test('takes what it was warmed for at once', () => {
    const simulation = new Simulation(onDemand())
    simulation.model.configure(onDemand({ warmWrite: 10_000 }), simulation.nowMs)
    expect(simulation.model.partitions).toHaveLength(10)
    simulation.wait(secondMs)
    expect(simulation.sendMany('write', 20_000, evenKeys)).toBe(10_000)
  })

  test('takes no more than its owner allows', () => {
    const simulation = new Simulation(onDemand({ maximumWrite: 50, maximumRead: 7 }))
    expect(simulation.sendMany('write', 1_000, evenKeys)).toBe(50)
    expect(simulation.why('write', keyAt(0))).toEqual(['MaxOnDemandThroughput'])
    expect(simulation.sendMany('read', 1_000, evenKeys)).toBe(7)
    simulation.model.configure(onDemand(), simulation.nowMs)
    expect(simulation.send('write', keyAt(0))).toBe(true)
  })

  test('takes no more than the quota for a table', () => {
    const simulation = new Simulation(onDemand({ warmWrite: 100_000 }))
    expect(simulation.sendMany('write', 50_000, evenKeys)).toBe(40_000)
    expect(simulation.why('write', keyAt(0))).toEqual(['AccountLimit'])
  })

  test('begins anew with what it is warm for when it was provisioned before', () => {
    const simulation = new Simulation(provisioned(6_000, 2_000))
    simulation.model.configure(onDemand({ warmRead: 12_000, warmWrite: 4_000 }), simulation.nowMs)
    expect(simulation.sendMany('write', 10_000, evenKeys)).toBe(4_000)
  })
})

describe('a hot partition', () => {
  /** Four minutes and a half would not do; five whole minutes do. */
  function heat(
    simulation: Simulation,
    minutes: number,
    keysOfSecond: (second: number) => readonly Uint8Array[],
  ): void {
    for (let second = 0; second < minutes * 60; second++) {
      const keys = keysOfSecond(second)
      for (const key of keys) simulation.send('write', key, 900 / keys.length)
      simulation.wait(secondMs)
    }
  }

  test('is divided after five minutes where the heat is', () => {
    const simulation = new Simulation(provisioned(10, 950))
    // Of one partition's keys only the lowest sixteenth is used.
    const keys = Array.from({ length: 9 }, (_, at) => keyAt(at * 2 ** 24))
    heat(simulation, 4, () => keys)
    expect(simulation.model.partitions).toHaveLength(1)
    heat(simulation, 2, () => keys)
    expect(simulation.model.partitions).toHaveLength(2)
    expect(simulation.model.partitions[1]?.from.hash).toBeGreaterThan(2 * 2 ** 24)
    expect(simulation.model.partitions[1]?.from.hash).toBeLessThan(7 * 2 ** 24)
  })

  test('is not divided for one hot item', () => {
    const simulation = new Simulation(provisioned(10, 950, { divisible: true }))
    heat(simulation, 12, () => [keyOf('CELEBRITY', 'profile')])
    expect(simulation.model.partitions).toHaveLength(1)
  })

  test('is divided within one partition key whose items are many', () => {
    const simulation = new Simulation(provisioned(10, 950, { divisible: true }))
    const items = Array.from({ length: 64 }, (_, at) =>
      keyOf('CELEBRITY', String.fromCharCode(33 + ((at * 37) % 64))),
    )
    heat(simulation, 6, (second) => [items[second % 64] ?? keyOf('')])
    expect(simulation.model.partitions).toHaveLength(2)
    const [low, high] = simulation.model.partitions
    expect(simulation.model.partitionOf(keyOf('CELEBRITY', '!'))).toBe(low)
    expect(simulation.model.partitionOf(keyOf('CELEBRITY', '`'))).toBe(high)
  })

  test('is not divided within a partition key that has a local index', () => {
    const simulation = new Simulation(provisioned(10, 950, { divisible: false }))
    const items = Array.from({ length: 64 }, (_, at) =>
      keyOf('CELEBRITY', String.fromCharCode(33 + ((at * 37) % 64))),
    )
    heat(simulation, 6, (second) => [items[second % 64] ?? keyOf('')])
    expect(simulation.model.partitions).toHaveLength(1)
  })

  test('is not divided for sort keys that only rise', () => {
    const simulation = new Simulation(provisioned(10, 950, { divisible: true }))
    heat(simulation, 12, (second) => [keyOf('EVENTS', String(1_000_000 + second))])
    expect(simulation.model.partitions).toHaveLength(1)
  })

  test('serves more once it is divided', () => {
    const simulation = new Simulation(onDemand())
    const keys = [keyAt(0), keyAt(2 ** 28)]
    expect(simulation.sendMany('write', 4_000, keys)).toBe(1_000)
    heat(simulation, 7, () => keys)
    expect(simulation.model.partitions).toHaveLength(5)
    simulation.wait(secondMs)
    expect(simulation.sendMany('write', 4_000, keys)).toBe(2_000)
  })
})

describe('what is remembered across restarts', () => {
  test('partitions, peaks and what was saved', () => {
    const before = new Simulation(onDemand())
    before.sendMany('write', 3_000, evenKeys)
    before.wait(31 * minuteMs)
    const after = new PartitionModel(onDemand(), before.nowMs, startMs, before.model.state(before.nowMs))
    expect(after.partitions.map(({ from }) => from.hex)).toEqual(
      before.model.partitions.map(({ from }) => from.hex),
    )
    expect(after.capacity('write', before.nowMs)).toBe(6_000)

    const saving = new Simulation(provisioned(10, 10))
    saving.wait(20 * secondMs)
    const state = saving.model.state(saving.nowMs)
    const restarted = new PartitionModel(provisioned(10, 10), saving.nowMs + 5 * secondMs, startMs, state)
    const partition = restarted.partitionOf(keyAt(0))
    let letIn = 0
    while (restarted.admits('read', partition, saving.nowMs + 5 * secondMs)) {
      restarted.charge('read', partition, 1, saving.nowMs + 5 * secondMs)
      letIn++
    }
    expect(letIn).toBe(260)
  })

  test('boundaries are read as they were written', () => {
    expect(KeyBoundary.fromHex(KeyBoundary.ofHash(0xdeadbeef).hex).hash).toBe(0xdeadbeef)
  })
})
