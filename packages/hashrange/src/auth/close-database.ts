import type { AccessKeyPair } from '@hashrange/access'
import { newAdministratorKey, readDeclaration } from '@hashrange/access/closed'
import type { AuthOptions } from '../open-options.ts'
import { openGate, type Closable, type OpenedGate } from './open-gate.ts'

export interface ClosedDatabase extends OpenedGate {
  /** The administrator's. */
  readonly credentials: AccessKeyPair
}

/** Closes a database of this process to others. Whoever opens it is its administrator and always has a key. */
export async function closeDatabase(
  opened: Closable,
  { credentials, identities }: AuthOptions,
  accountId: string,
): Promise<ClosedDatabase> {
  const given = credentials ?? newAdministratorKey(accountId)
  const closed = await openGate(opened, { rootKey: given, accountId, identities: checked(identities) })
  return { ...closed, credentials: given }
}

/** JavaScript does not check the types of a call. */
function checked(identities: AuthOptions['identities']): AuthOptions['identities'] {
  return identities === undefined ? undefined : readDeclaration(identities)
}
