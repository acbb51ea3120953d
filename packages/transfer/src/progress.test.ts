import { expect, test } from 'vitest'
import { Progress } from './progress.ts'

test('a log gets a line now and then, with speed and share', () => {
  let text = ''
  let nowMs = 0
  const progress = new Progress({ write: (piece) => (text += piece) }, () => nowMs)
  progress.begin('music', 2_000, 500)
  for (let second = 1; second <= 10; second++) {
    nowMs = second * 1_000
    progress.add(100)
  }
  progress.end()
  expect(text.split('\n')).toEqual([
    'music: 25%, 500 items',
    'music: 50%, 1,000 items, 100/s',
    'music: 75%, 1,500 items, 100/s',
    'music: 75%, 1,500 items, 100/s',
    '',
  ])
})

test('a terminal gets a bar that is drawn over', () => {
  let text = ''
  const progress = new Progress({ isTTY: true, write: (piece) => (text += piece) }, () => 0)
  progress.begin('music', 4)
  progress.add(2)
  progress.end()
  expect(text).toContain('\r\u001b[Kmusic: [############............] 50%, 2 items')
})

test('bytes are told where they are counted', () => {
  let text = ''
  const progress = new Progress({ write: (piece) => (text += piece) }, () => 0)
  progress.begin('music', 4)
  progress.add(2, 812)
  progress.end()
  progress.add(1, 1_500_000)
  progress.end()
  expect(text.split('\n')).toEqual([
    'music: 0%, 0 items',
    'music: 50%, 2 items, 812 bytes',
    'music: 75%, 3 items, 1.5 MB',
    '',
  ])
})
