import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { TrialDatabase } from '../check/run/trial-database.ts'

/** Somebody who has a role, for one tenant. */
export interface TrialPrincipal {
  readonly name: string
  /** The one policy that they have. */
  readonly policy: object
  readonly tags: Readonly<Record<string, string>>
}

/** A database that verifies who asks, and whether they may. `client` is its administrator's. */
export interface ClosedTrial extends TrialDatabase {
  clientOf(principal: string): DynamoDBClient
  /** Which statement of the principal's policy allows a request, for people: its Sid or its number. Nothing if none does. */
  allowedBy(principal: string, operation: string, input: unknown): string | undefined
}

/** Opens one that is empty, with these principals. */
export type OpenClosedTrial = (principals: readonly TrialPrincipal[]) => Promise<ClosedTrial>
