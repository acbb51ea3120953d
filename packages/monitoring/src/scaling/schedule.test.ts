import { describe, expect, test } from 'vitest'
import { nextRun, parseSchedule } from './schedule.ts'

const start = Date.UTC(2026, 10, 15, 12, 0, 0)

function runs(text: string, timezone?: string, count = 1, fromMs = start): (string | undefined)[] {
  const schedule = parseSchedule(text, timezone)
  if (schedule === undefined) throw new Error(`no schedule: ${text}`)
  const found: (string | undefined)[] = []
  let afterMs = fromMs
  for (let run = 0; run < count; run++) {
    const next = nextRun(schedule, afterMs, fromMs)
    found.push(next === undefined ? undefined : new Date(next).toISOString())
    afterMs = next ?? afterMs
  }
  return found
}

describe('a schedule', () => {
  test('runs once at its moment, by the clocks of its time zone', () => {
    expect(runs('at(2026-11-16T08:00:00)', undefined, 2)).toEqual(['2026-11-16T08:00:00.000Z', undefined])
    expect(runs('at(2026-11-16T08:00:00)', 'America/New_York')).toEqual(['2026-11-16T13:00:00.000Z'])
    expect(runs('at(2026-11-14T08:00:00)')).toEqual([undefined])
  })

  test('runs at a rate, counted from its start', () => {
    expect(runs('rate(1 hour)', undefined, 2)).toEqual(['2026-11-15T13:00:00.000Z', '2026-11-15T14:00:00.000Z'])
    expect(runs('rate(5 minutes)')).toEqual(['2026-11-15T12:05:00.000Z'])
    expect(runs('rate(2 days)')).toEqual(['2026-11-17T12:00:00.000Z'])
  })

  test.each([
    ['cron(0 10 * * ? *)', '2026-11-16T10:00:00.000Z'],
    ['cron(15 12 * * ? *)', '2026-11-15T12:15:00.000Z'],
    ['cron(0/15 * * * ? *)', '2026-11-15T12:15:00.000Z'],
    ['cron(0 18 ? * MON-FRI *)', '2026-11-16T18:00:00.000Z'],
    ['cron(0 8 1 * ? *)', '2026-12-01T08:00:00.000Z'],
    ['cron(0 8 L * ? *)', '2026-11-30T08:00:00.000Z'],
    ['cron(0 8 ? * 6L *)', '2026-11-27T08:00:00.000Z'],
    ['cron(0 8 ? * 2#1 *)', '2026-12-07T08:00:00.000Z'],
    ['cron(0 8 29 FEB ? *)', '2028-02-29T08:00:00.000Z'],
    ['cron(0 8 15W * ? *)', '2026-11-16T08:00:00.000Z'],
    ['cron(0 8 1 1 ? 2025)', undefined],
  ])('%s runs next at %s', (text, expected) => {
    expect(runs(text)).toEqual([expected])
  })

  test('keeps to local time when clocks change', () => {
    const beforeChange = Date.UTC(2026, 2, 28, 12)
    expect(runs('cron(0 8 * * ? *)', 'Europe/Berlin', 2, beforeChange)).toEqual([
      '2026-03-29T06:00:00.000Z',
      '2026-03-30T06:00:00.000Z',
    ])
    // On 29 March clocks go from two to three.
    expect(runs('cron(30 2 * * ? *)', 'Europe/Berlin', 2, beforeChange)).toEqual([
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ])
  })

  test.each([
    'at(2026-02-30T08:00:00)',
    'at(soon)',
    'rate(0 hours)',
    'rate(1 hours)',
    'rate(2 hour)',
    'rate(1 fortnight)',
    'cron(0 8 * * * *)',
    'cron(0 8 ? * ? *)',
    'cron(60 8 * * ? *)',
    'cron(0 8 * * ?)',
    'cron(5-1 8 * * ? *)',
    'cron(0/0 8 * * ? *)',
    'every day',
    '',
  ])('%s is none', (text) => {
    expect(parseSchedule(text)).toBeUndefined()
  })

  test('an unknown time zone is a RangeError', () => {
    expect(() => parseSchedule('rate(1 hour)', 'Mars/Olympus')).toThrow(RangeError)
  })
})
