import { expect, test } from 'vitest'
import { PageSessions, sessionMs, type SignedIn } from './page-sessions.ts'

const hourMs = 3_600_000
const ann: SignedIn = { kind: 'identity', key: { accessKeyId: 'AKIAANN' } }

test('a session needs both of its halves, and ends when it is told to', () => {
  const sessions = new PageSessions(() => 0)
  const first = sessions.begin(ann)
  const second = sessions.begin({ kind: 'operator' })
  expect(sessions.find(first)?.who).toEqual(ann)
  expect(sessions.find(second)?.who).toEqual({ kind: 'operator' })
  expect(sessions.find({ cookie: first.cookie, proof: second.proof })).toBeUndefined()
  expect(sessions.find({ cookie: first.proof, proof: first.cookie })).toBeUndefined()
  expect(sessions.find({ cookie: '', proof: '' })).toBeUndefined()
  sessions.end({ cookie: first.cookie, proof: second.proof })
  expect(sessions.find(first)).toBeDefined()
  sessions.end(first)
  expect(sessions.find(first)).toBeUndefined()
  expect(sessions.find(second)).toBeDefined()
})

test('a session ends after twelve hours, with its credentials, and after an hour without use', () => {
  let nowMs = 0
  const sessions = new PageSessions(() => nowMs)
  const used = sessions.begin(ann)
  const short = sessions.begin(ann, hourMs / 2)
  const idle = sessions.begin(ann)
  for (; nowMs < sessionMs; nowMs += hourMs / 4) {
    expect(sessions.find(used)).toBeDefined()
    if (nowMs >= hourMs / 2) expect(sessions.find(short)).toBeUndefined()
  }
  expect(sessions.find(used)).toBeUndefined()
  expect(sessions.find(idle)).toBeUndefined()
})

test('there are fifty sessions of one key and a thousand in all: those not used for longest go first', () => {
  let nowMs = 0
  const sessions = new PageSessions(() => nowMs++)
  const [oldest, ...others] = Array.from({ length: 50 }, () => sessions.begin(ann))
  if (oldest === undefined) throw new Error('there is one')
  sessions.find(oldest)
  sessions.begin(ann)
  expect(sessions.size).toBe(50)
  expect(sessions.find(oldest)).toBeDefined()
  expect(others.filter((session) => sessions.find(session) === undefined)).toEqual([others[0]])
  for (let count = 0; count < 1200; count++)
    sessions.begin({ kind: 'identity', key: { accessKeyId: String(count) } })
  expect(sessions.size).toBe(1000)
})
