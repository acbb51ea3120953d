import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EpochHistory } from './checker/check-epoch.ts'
import { loadEpoch, saveEpoch } from './epoch-file.ts'

test('a history comes back from its file as it was', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-epoch-'))
  const base = { client: 'c', startedAtMs: 0.25, endedAtMs: Infinity }
  const history: EpochHistory = {
    transactions: [{ ...base, id: 0, outcome: 'unknown', appends: [{ key: 'x', values: [1] }], reads: [] }],
    operations: [{ ...base, id: 0, key: 'x', action: { kind: 'add', amount: 1 }, answer: undefined }],
    listRecords: [{ key: 'x', values: [1] }],
    itemRecords: [{ key: 'x', before: undefined, after: 1 }],
  }
  const file = join(folder, 'history.jsonl')
  saveEpoch(file, history)
  expect(loadEpoch(file)).toEqual(history)
  rmSync(folder, { recursive: true })
})
