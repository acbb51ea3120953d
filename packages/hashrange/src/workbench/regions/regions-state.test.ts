import { openTestEngine } from '@hashrange/engine/test-engine'
import { expect, test } from 'vitest'
import { regionsState } from './regions-state.ts'

test('shows linked servers in words, and why a link is down', async () => {
  const { engine, close } = await openTestEngine()
  const { servers } = await regionsState(engine, '123456789012', () => true, [
    {
      region: 'eu-west-1',
      url: 'https://eu.example.com',
      state: 'down',
      error: 'it does not answer',
      sinceMs: 0,
      receivedBytes: 0,
      receivedChanges: 0,
      clockAheadMs: 5,
    },
  ])
  const shown = { url: 'https://eu.example.com', state: 'down', isDown: true, error: 'it does not answer' }
  expect(servers).toEqual([{ region: 'eu-west-1', clockAheadMs: 5, ...shown }])
  expect(await regionsState(engine, '123456789012', () => true)).not.toHaveProperty('servers')
  await close()
})
