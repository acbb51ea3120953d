import { describe, expect, test } from 'vitest'
import { steadyAgo } from './clock-record.ts'
import { earliestTimeSince, firstEra, leadOf, setBack, steadyAt, timeAt, type ClockEras } from './clock-eras.ts'

const second = 1_000

/** A clock that runs, and is set now and then, with the calendar and steady time of every second. */
class SetClock {
  nowMs: number
  steadyMs: number
  /** What was set forward and is not believed yet. */
  heldMs = 0
  eras: ClockEras = firstEra
  readonly seen: { readonly nowMs: number; readonly steadyMs: number }[] = []

  constructor(nowMs: number) {
    this.nowMs = nowMs
    this.steadyMs = nowMs
  }

  run(seconds: number): this {
    for (let count = 0; count < seconds; count++) {
      this.nowMs += second
      this.steadyMs += second
      this.seen.push({ nowMs: this.nowMs, steadyMs: this.steadyMs })
    }
    return this
  }

  set(bySeconds: number): this {
    this.nowMs += bySeconds * second
    if (bySeconds > 0) {
      this.steadyMs += bySeconds * second
      this.heldMs = bySeconds * second
      return this
    }
    this.eras = setBack(this.eras, { nowMs: this.nowMs, steadyMs: this.steadyMs })
    this.steadyMs = this.nowMs + leadOf(this.eras)
    this.heldMs = 0
    this.seen.push({ nowMs: this.nowMs, steadyMs: this.steadyMs })
    return this
  }

  ago(seconds: number): number {
    return steadyAgo({ eras: this.eras, trimmed: [] }, this.nowMs - this.heldMs, seconds * second)
  }
}

describe('a moment of the calendar', () => {
  test('is the same in steady time as long as nobody sets the clock back', () => {
    const clock = new SetClock(10_000).run(5).set(3_600).run(5)
    for (const { nowMs, steadyMs } of clock.seen) {
      expect(steadyMs).toBe(nowMs)
      expect(steadyAt(clock.eras, nowMs)).toBe(nowMs)
      expect(timeAt(clock.eras, steadyMs)).toBe(nowMs)
    }
  })

  test.each([
    ['set back', new SetClock(1_000_000).run(100).set(-30).run(100)],
    ['set forward by mistake', new SetClock(1_000_000).run(100).set(86_400).run(20).set(-86_400).run(100)],
    [
      'set back again and again',
      new SetClock(1_000_000).run(50).set(-20).run(10).set(-20).run(40).set(-5).run(100),
    ],
    ['set to and fro', new SetClock(1_000_000).run(50).set(-20).run(10).set(40).run(10).set(-40).run(60)],
  ])('is, of a clock that was %s, the last time that it was shown', (_what, clock) => {
    for (let atMs = 1_001_000; atMs <= clock.nowMs; atMs += second) {
      // All that had happened when the clock showed this, or less, for the last time.
      const expected = clock.seen.findLastIndex(({ nowMs }) => nowMs <= atMs)
      const steadyMs = steadyAt(clock.eras, atMs)
      expect(clock.seen.findLastIndex((seen) => seen.steadyMs <= steadyMs)).toBe(expected)
    }
    for (const { nowMs, steadyMs } of clock.seen) expect(timeAt(clock.eras, steadyMs)).toBe(nowMs)
    const steady = clock.seen.map(({ steadyMs }) => steadyMs)
    expect(steady).toEqual(steady.toSorted((a, b) => a - b))
  })

  test('that the clock left out is what came before', () => {
    const clock = new SetClock(0).run(100).set(1_000).run(10).set(-1_000).run(50)
    // 100 s was shown, then 1,101 s to 1,110 s, then 111 s and so on.
    expect(steadyAt(clock.eras, 105_000)).toBe(105_000)
    expect(clock.seen.some(({ steadyMs }) => steadyMs > 100_000 && steadyMs <= 105_000)).toBe(false)
  })
})

describe('what is so long ago', () => {
  test('is never nearer than it is, and after the clock was set back not for longer than that either', () => {
    const clock = new SetClock(1_000_000)
    for (const step of [0, -50, 0, 3_000, -3_000, -7, 0, 100, -90, 0]) {
      if (step !== 0) clock.set(step)
      const setAt = clock.seen.length
      for (let count = 0; count < 40; count++) {
        clock.run(1)
        // What was written less than 30 seconds ago, in truth, is not that old.
        const ago = clock.ago(30)
        const written = clock.seen.at(-30)
        if (written !== undefined) expect(ago).toBeLessThanOrEqual(written.steadyMs)
        if (count > 31 && clock.heldMs === 0) expect(ago).toBeGreaterThanOrEqual(clock.seen[setAt]?.steadyMs ?? 0)
      }
    }
  })

  test('does not count a time in which the clock was ahead by mistake', () => {
    const clock = new SetClock(1_000_000).run(100)
    const written = clock.steadyMs
    clock
      .set(365 * 86_400)
      .run(60)
      .set(-365 * 86_400)
      .run(60)
    expect(clock.ago(600)).toBeLessThan(written)
    clock.run(600)
    expect(clock.ago(600)).toBeGreaterThanOrEqual(written)
  })
})

test('the earliest that was shown since is earlier if the clock was set back since', () => {
  const clock = new SetClock(1_000_000).run(100)
  const sinceMs = clock.steadyMs
  clock.run(10)
  expect(earliestTimeSince(clock.eras, sinceMs)).toBe(1_100_000)
  clock.set(-60).run(10)
  expect(earliestTimeSince(clock.eras, sinceMs)).toBe(1_050_000)
})

test('a clock that is set back all the time takes no more than some memory', () => {
  const clock = new SetClock(1_000_000)
  for (let count = 0; count < 3_000; count++) clock.run(5).set(-4)
  expect(clock.eras).toHaveLength(1_000)
  expect(JSON.stringify(clock.eras).length).toBeLessThan(100_000)
  const { nowMs, steadyMs } = clock.seen.at(-1) ?? { nowMs: 0, steadyMs: 0 }
  expect(timeAt(clock.eras, steadyMs)).toBe(nowMs)
})
