import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { TrialDatabase } from '../check/run/trial-database.ts'
import type { RoleDescription } from '../description.ts'

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
  /** Which statement of the principal's policy allows a request, for people: its Sid or its number. Nothing if any part of it is
   *  not allowed. */
  allowedBy(principal: string, operation: string, input: unknown): string | undefined
}

/** Opens one that is empty, with these principals. */
export type OpenClosedTrial = (principals: readonly TrialPrincipal[]) => Promise<ClosedTrial>

/** The name of a principal that has the generated policy of a role, whatever policy the role really has. */
export function leastOf({ name }: RoleDescription): string {
  return `${name}.least`
}
