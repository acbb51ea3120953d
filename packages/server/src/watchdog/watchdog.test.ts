import { spawn } from 'node:child_process'
import { afterEach, expect, test, vi } from 'vitest'
import { renderFamilies } from '../metrics/render-families.ts'
import { Activity } from './activity.ts'
import { watchdogThread } from './watchdog-thread.ts'
import { Watchdog } from './watchdog.ts'

const watchdogs: Watchdog[] = []
afterEach(async () => {
  for (const watchdog of watchdogs.splice(0)) await watchdog.stop()
})

function watch(activity: Activity): string[] {
  const logged: string[] = []
  const logger = { error: (message: string) => void logged.push(message) }
  watchdogs.push(new Watchdog(activity, logger, { stallMs: 400, afterMs: 0 }))
  return logged
}

/** The thread takes a moment to begin. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_500))

function standStill(ms: number): void {
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs);
}

test('tells that the event loop stood still, for how long, and in which operation', async () => {
  const activity = new Activity()
  const logged = watch(activity)
  await settled()
  logged.length = 0
  activity.begin(activity.numberOf('Scan'))
  standStill(1_500)
  activity.end()
  await vi.waitFor(() => expect(logged).toHaveLength(1), { timeout: 60_000 })
  expect(logged[0]).toMatch(
    /^hashrange: nothing was answered for [1-9]\.\d s: the event loop was blocked in Scan\./,
  )
  const [watchdog] = watchdogs
  const metrics = renderFamilies(watchdog?.metricFamilies() ?? [], 'prometheus')
  expect(metrics).toMatch(/^hashrange_event_loop_stalls_total [1-9]/m)
  expect(metrics).toMatch(/^hashrange_event_loop_stalled_seconds_total [1-9]/m)
})

test('what goes on beside requests is told as such', async () => {
  const activity = new Activity()
  const logged = watch(activity)
  await settled()
  logged.length = 0
  standStill(1_500)
  await vi.waitFor(() => expect(logged).toHaveLength(1), { timeout: 60_000 })
  expect(logged[0]).toContain('blocked while no request was being processed.')
})

test('a loop that stands still for good is told while it does', async () => {
  const script = `
    const { Worker } = require('node:worker_threads')
    const { thread, names, operation } = JSON.parse(process.env.WATCHED)
    const shared = new SharedArrayBuffer(12)
    new Int32Array(shared)[1] = operation
    const workerData = { shared, names, lookMs: 50, stallMs: 200, hungMs: 500 }
    new Worker(thread, { eval: true, workerData }).once('online', () => { for (;;); })
  `
  const activity = new Activity()
  const watched = JSON.stringify({
    thread: watchdogThread,
    names: activity.names.map((name) => name ?? ''),
    operation: activity.numberOf('UpdateTable'),
  })
  const child = spawn(process.execPath, ['-e', script], { env: { ...process.env, WATCHED: watched } })
  try {
    const told = await new Promise<string>((resolve) => child.stderr.once('data', (text) => resolve(String(text))))
    expect(told).toMatch(
      /^hashrange: nothing has been answered for \d+\.\d s: the event loop is blocked in UpdateTable\. /,
    )
  } finally {
    child.kill('SIGKILL')
  }
})
