import { isRecord } from '../api/is-record.ts'
import type { Entry } from '../backups/stored-pages.ts'
import { tokenExpiryKey, tokenExpiryRange, tokenRange } from '../layout/key-space.ts'
import type { Key, MaybePromise, Snapshot, Value, Write } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import type { Fault, Repair } from './finding.ts'
import { placeOfKey } from './place.ts'
import type { Verification } from './verification.ts'

/** Checks the idempotency tokens of transactions, and the index by which they are removed. */
export async function checkTokens(run: Verification): Promise<void> {
  await run.eachPage(tokenRange(), judgeTokens)
  await run.eachPage(tokenExpiryRange(), judgeExpiries)
}

function judgeTokens(snapshot: Snapshot, page: readonly Entry[]): MaybePromise<readonly Fault[]> {
  const faults: Fault[] = []
  const expected: { readonly token: Key; readonly expiry: Key }[] = []
  for (const { key, value } of page) {
    const expiresAtMs = expiryOf(value)
    if (expiresAtMs === undefined || tokenText(key).split('\0').length < 3) {
      faults.push({ kind: 'token', place: placeOfKey(key), problem: "A transaction's token cannot be read." })
    } else expected.push({ token: key, expiry: tokenExpiryKey(expiresAtMs, key) })
  }
  return whenThere(snapshot.getMany(expected.map(({ expiry }) => expiry)), (values) => {
    expected.forEach(({ token, expiry }, position) => {
      if (values[position]?.equals(token) === true) return
      const problem = "A transaction's token has no expiry entry, so it would never be removed."
      faults.push({ kind: 'token', place: placeOfKey(token), problem, repair: tokenRepair(token, expiry) })
    })
    return faults
  })
}

function judgeExpiries(snapshot: Snapshot, page: readonly Entry[]): MaybePromise<readonly Fault[]> {
  const tokens = page.map(({ key }) => key.subarray(tokenStart))
  const asked = tokens.filter((token) => token.length > 0)
  return whenThere(snapshot.getMany(asked), (values) => {
    const found = new Map(asked.map((token, position) => [token, values[position]]))
    return page.flatMap(({ key }, position): Fault | readonly [] => {
      const token = tokens[position] ?? key
      const expiresAtMs = expiryOf(found.get(token))
      // The contents of the entry are checked with its token.
      if (expiresAtMs !== undefined && Buffer.compare(tokenExpiryKey(expiresAtMs, token), key) === 0) return []
      const problem =
        'The index of token expiry times names a token that does not exist, or has another time than the token.'
      return { kind: 'token', place: placeOfKey(key), problem, repair: tokenRepair(token, key) }
    })
  })
}

/** The key of an expiry ends with its token; a truncated one names none. */
const tokenStart = 9

/** Corrects an entry of the index, according to the token as it is then. */
function tokenRepair(token: Key, expiry: Key): Repair {
  return {
    isExact: true,
    keys: token.length === 0 ? [expiry] : [expiry, token],
    decide: ([found, value]): readonly Write[] => {
      const expiresAtMs = expiryOf(value)
      // An unreadable token says nothing.
      if (value !== undefined && expiresAtMs === undefined) return []
      if (expiresAtMs !== undefined && Buffer.compare(tokenExpiryKey(expiresAtMs, token), expiry) === 0) {
        const entry = Buffer.from(token)
        return found?.equals(entry) === true ? [] : [{ kind: 'put', key: expiry, value: entry }]
      }
      return found === undefined ? [] : [{ kind: 'delete', key: expiry }]
    },
  }
}

function expiryOf(value: Value | undefined): number | undefined {
  if (value === undefined) return undefined
  try {
    const raw: unknown = JSON.parse(value.toString('utf8'))
    if (!isRecord(raw) || typeof raw['digest'] !== 'string') return undefined
    const { expiresAtMs } = raw
    return Number.isSafeInteger(expiresAtMs) && (expiresAtMs as number) >= 0 ? (expiresAtMs as number) : undefined
  } catch {
    return undefined
  }
}

function tokenText(key: Key): string {
  return Buffer.from(key.subarray(1)).toString('utf8')
}
