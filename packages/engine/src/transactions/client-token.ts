import { createHash } from 'node:crypto'
import { limits, ServiceError } from '@hashrange/core'
import { tokenExpiryKey, tokenKey } from '../layout/key-space.ts'
import type { Scope } from '../scope.ts'
import type { Key, Value, Write } from '../store/store.ts'

/** A client's token makes a transaction happen once, however often it is sent. It is written with the transaction's own
 *  writes, so that it survives whatever they survive. */
export interface ClientToken {
  readonly key: Key
  /** Whether the transaction has happened already. Refuses a token that was used for something else. */
  isReplay(stored: Value | undefined, nowMs: number): boolean
  /** What remembers the token, in place of an expired one. */
  writes(stored: Value | undefined, nowMs: number): readonly Write[]
}

/** ON DISK as JSON. */
interface StoredToken {
  readonly digest: string
  readonly expiresAtMs: number
}

export function clientTokenOf(scope: Scope, token: string, request: unknown): ClientToken {
  const key = tokenKey(scope.accountId, scope.region, token)
  const digest = createHash('sha256').update(JSON.stringify(request)).digest('base64')
  return {
    key,
    isReplay: (stored, nowMs) => {
      const known = parse(stored)
      if (known === undefined || known.expiresAtMs <= nowMs) return false
      if (known.digest === digest) return true
      throw new ServiceError(
        'IdempotentParameterMismatchException',
        'ClientRequestToken was used with a different set of parameters in a previous request.',
      )
    },
    writes: (stored, nowMs) => {
      const known = parse(stored)
      const expiresAtMs = nowMs + limits.transactionTokenMs
      const remembered: StoredToken = { digest, expiresAtMs }
      return [
        ...(known === undefined ? [] : [{ kind: 'delete' as const, key: tokenExpiryKey(known.expiresAtMs, key) }]),
        { kind: 'put', key, value: Buffer.from(JSON.stringify(remembered)) },
        { kind: 'put', key: tokenExpiryKey(expiresAtMs, key), value: key },
      ]
    },
  }
}

function parse(stored: Value | undefined): StoredToken | undefined {
  return stored === undefined ? undefined : (JSON.parse(Buffer.from(stored).toString()) as StoredToken)
}
