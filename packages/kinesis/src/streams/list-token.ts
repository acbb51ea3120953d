import { ServiceError } from '@hashrange/core'
import { pageToken, readPageToken, type ServiceHost } from '@hashrange/engine'
import { invalidArgument } from './stream-errors.ts'

type Clock = ServiceHost['clock']

const tokenLifetimeMs = 300_000

/** A token that says where a list continues, and expires as the service's do. */
export function tokenAfter(clock: Clock, parts: readonly string[]): string {
  return pageToken([Math.floor(clock.steady()).toString(), ...parts]) ?? ''
}

/** What a token of ours says. */
export function pageAfter(clock: Clock, token: string): readonly string[] {
  const [createdAt, ...parts] = readPageToken(token) ?? []
  const createdAtMs = Number(createdAt)
  if (parts.length === 0 || !Number.isSafeInteger(createdAtMs)) throw invalidArgument('Invalid NextToken.')
  if (createdAtMs < clock.ago(tokenLifetimeMs)) {
    throw new ServiceError('ExpiredNextTokenException', 'The NextToken has expired.')
  }
  return parts
}
