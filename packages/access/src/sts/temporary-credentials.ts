import { boxIn, type IamContext } from '../iam/iam-context.ts'
import { toSessionToken, type Session } from '../identities/session-token.ts'
import { newId, newSecret } from '../secrets/new-credentials.ts'

type AboutSession = Partial<Session> & Pick<Session, 'accountId'>

export async function newTemporaryCredentials(
  iam: IamContext,
  nowMs: number,
  seconds: number,
  about: AboutSession,
): Promise<object> {
  const expiresAtMs = nowMs + seconds * 1000
  const session: Session = {
    policies: [],
    policyArns: [],
    tags: [],
    transitiveTagKeys: [],
    ...about,
    accessKeyId: newId('ASIA', about.accountId),
    secret: newSecret(),
    issuedAtMs: nowMs,
    expiresAtMs,
  }
  return {
    AccessKeyId: session.accessKeyId,
    SecretAccessKey: session.secret,
    SessionToken: toSessionToken(await boxIn(iam), session),
    Expiration: new Date(expiresAtMs),
  }
}
