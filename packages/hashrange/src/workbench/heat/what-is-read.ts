import type { Scope } from '@hashrange/engine'

/** A name for what is read of one table or index: no two have the same. */
export function whatIsRead({ accountId, region }: Scope, ...parts: readonly (string | undefined)[]): string {
  return JSON.stringify([accountId, region, ...parts.map((part) => part ?? null)])
}
