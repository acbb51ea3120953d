import type { SecretBox } from '../secrets/secret-box.ts'
import type { SessionFacts } from './principal.ts'

const purpose = 'session token'

/** Temporary credentials: all that is known of them stands in their token, which only the key of secrets can read. So every server that has the key knows
 *  every session, and none is stored. */
export interface Session extends SessionFacts {
  readonly accessKeyId: string
  readonly secret: string
  readonly accountId: string
  /** Whose they are: a role that was assumed, a user, or else the account itself. */
  readonly roleName?: string | undefined
  readonly roleId?: string | undefined
  readonly sessionName?: string | undefined
  readonly userId?: string | undefined
}

export function toSessionToken(box: SecretBox, session: Session): string {
  return box.seal(JSON.stringify(session), purpose)
}

/** The session that a token stands for; nothing if it is none of ours. */
export function readSessionToken(box: SecretBox, token: string): Session | undefined {
  const text = box.open(token, purpose)
  return text === undefined ? undefined : (JSON.parse(text) as Session)
}
