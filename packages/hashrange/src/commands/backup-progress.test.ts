import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followWork } from './backup-progress.ts'

let told: string

beforeEach(() => {
  told = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => (told += String(text)) !== '')
})

afterEach(() => {
  vi.restoreAllMocks()
})

test('work is followed to its end', async () => {
  const states = [10, 60, 100].map((items) => ({ isDone: items === 100, items, bytes: items * 1_000 }))
  const look = async () => states.shift() ?? { isDone: true, items: 0, bytes: 0 }
  const end = await followWork({ label: 'music', totalItems: 100, look, goesOn: 'It goes on.' })
  expect(end).toEqual({ isDone: true, items: 100, bytes: 100_000 })
  expect(told).toMatch(/^music: 0%, 0 items\n/)
  expect(told).toMatch(/music: 100%, 100 items, 100\.0 KB.*\n$/)
})

/** Only for the listener that came last: others, of what else this process has run, might end it. */
function pressCtrlC(): void {
  process.listeners('SIGINT').at(-1)?.('SIGINT')
}

test('Ctrl+C stops watching and tells what becomes of the work', async () => {
  const before = process.listenerCount('SIGINT')
  let looks = 0
  const look = async () => {
    if (++looks === 2) pressCtrlC()
    return { isDone: false, items: 1, bytes: 1 }
  }
  expect(await followWork({ label: 'music', totalItems: 0, look, goesOn: 'It goes on.' })).toBeUndefined()
  expect(looks).toBe(2)
  expect(told).toMatch(/music: 1 item, 1 bytes.*\nNo longer watching\. It goes on\.\n$/)
  expect(process.listenerCount('SIGINT')).toBe(before)
})
