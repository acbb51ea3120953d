import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { EpochHistory } from './checker/check-epoch.ts'

const parts = ['transactions', 'operations', 'listRecords', 'itemRecords'] as const

/** Writes a history as lines of JSON, so that it can be looked at, and checked again. */
export function saveEpoch(path: string, history: EpochHistory): void {
  const file = openSync(path, 'w')
  try {
    for (const part of parts) {
      for (const entry of history[part]) writeSync(file, `${JSON.stringify({ part, entry }, withInfinity)}\n`)
    }
  } finally {
    closeSync(file)
  }
}

export function loadEpoch(path: string): EpochHistory {
  const history = { transactions: [], operations: [], listRecords: [], itemRecords: [] }
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '') continue
    const { part, entry } = JSON.parse(line, toInfinity) as { part: (typeof parts)[number]; entry: never }
    history[part].push(entry)
  }
  return history
}

function withInfinity(name: string, value: unknown): unknown {
  return name === 'endedAtMs' && value === Infinity ? 'never' : value
}

function toInfinity(name: string, value: unknown): unknown {
  return name === 'endedAtMs' && value === 'never' ? Infinity : value
}
