import { createHash } from 'node:crypto'
import { limits, ServiceError } from '@hashrange/core'
import { isRecord } from '../api/is-record.ts'
import { tokenExpiryKey, tokenKey } from '../layout/key-space.ts'
import type { Scope } from '../scope.ts'
import type { Key, Value, Write } from '../store/store.ts'
import type { StoreClock } from '../time/store-clock.ts'

/** A client's token makes a transaction happen once, however often it is sent. It is written with the transaction's
 *  own writes, so it survives whatever they survive. */
export interface ClientToken {
  readonly key: Key
  /** Of a transaction that has already happened: a token counts unless it expired by `expiredByMs`. Rejects a token
   *  that was used for something else. */
  replayOf(stored: Value | undefined, expiredByMs: number): Replay | undefined
  /** Stores the token, in place of an expired one. */
  writes(stored: Value | undefined, steadyMs: number, sizesBytes: readonly number[]): readonly Write[]
}

export interface Replay {
  /** The size of each action's item before or after the transaction, whichever was larger. Older versions of this
   *  program did not store it. */
  readonly sizesBytes?: readonly number[]
}

/** ON DISK as JSON. */
interface StoredToken extends Replay {
  readonly digest: string
  /** In steady time: setting a clock neither shortens nor lengthens the life of a token. */
  readonly expiresAtMs: number
}

/** Tokens that expire by then have certainly expired, in steady time. */
export function tokensExpireBy(clock: StoreClock): number {
  return clock.ago(limits.transactionTokenMs) + limits.transactionTokenMs
}

export function clientTokenOf(scope: Scope, token: string, request: unknown): ClientToken {
  const key = tokenKey(scope.accountId, scope.region, token)
  const digest = createHash('sha256').update(JSON.stringify(request, inOrderOfNames)).digest('base64')
  return {
    key,
    replayOf: (stored, expiredByMs) => {
      const known = parse(stored)
      if (known === undefined || hasExpired(known, expiredByMs)) return undefined
      if (known.digest === digest) return known
      throw new ServiceError(
        'IdempotentParameterMismatchException',
        'ClientRequestToken was used with a different set of parameters in a previous request.',
      )
    },
    writes: (stored, steadyMs, sizesBytes) => {
      const known = parse(stored)
      const expiresAtMs = steadyMs + limits.transactionTokenMs
      const remembered: StoredToken = { digest, expiresAtMs, sizesBytes }
      return [
        ...(known === undefined ? [] : [{ kind: 'delete' as const, key: tokenExpiryKey(known.expiresAtMs, key) }]),
        { kind: 'put', key, value: Buffer.from(JSON.stringify(remembered)) },
        { kind: 'put', key: tokenExpiryKey(expiresAtMs, key), value: key },
      ]
    },
  }
}

/** A client that builds a request again may put its members in another order. */
function inOrderOfNames(_name: string, value: unknown): unknown {
  if (!isRecord(value) || Array.isArray(value)) return value
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, value[name]]))
}

/** Whether a stored token is too old to be repeated. */
export function isExpiredToken(stored: Value | undefined, expiredByMs: number): boolean {
  const known = parse(stored)
  return known === undefined || hasExpired(known, expiredByMs)
}

function hasExpired({ expiresAtMs }: StoredToken, expiredByMs: number): boolean {
  return expiresAtMs <= expiredByMs
}

function parse(stored: Value | undefined): StoredToken | undefined {
  return stored === undefined ? undefined : (JSON.parse(Buffer.from(stored).toString()) as StoredToken)
}
