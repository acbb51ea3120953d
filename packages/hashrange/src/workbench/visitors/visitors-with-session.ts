import { randomUUID } from 'node:crypto'
import type { CallingScope, Gate, PageSession, SessionHalves } from '@hashrange/access/closed'
import type { Engine } from '@hashrange/engine'
import type { Audit, HttpRequest } from '@hashrange/server'
import { ApiRefusal, type JsonObject } from '../api-handler.ts'
import type { Visitors, SessionAnswer } from './visitors.ts'
import { identityVisitor } from './identity-visitor.ts'
import { readSessionCookie, sessionCookie } from './session-cookie.ts'
import { explainSignIn } from './explain-sign-in.ts'
import { unlimitedVisitor, type Visitor } from './visitor.ts'

export interface SessionVisitorsOptions {
  readonly engine: Engine
  readonly gate: Gate
  /** Whether a token is the one of this start. Those of `hashrange token` open as well. */
  readonly isToken: (sent: string | undefined) => boolean
  readonly audit?: Audit | undefined
}

/** The name under which the page signs its request to sign in. */
const signingName = 'hashrange'

/** The visitors of a closed server. They prove once who they are, and have a session from then on. Each request is
 *  authorised as that identity; the operator, who has a token, may do everything. */
export function visitorsWithSession({ engine, gate, isToken, audit }: SessionVisitorsOptions): Visitors {
  const sessions = gate.openSessions()
  const endOf = ({ endsAtMs }: PageSession): number => Math.round(Date.now() + endsAtMs - performance.now())

  const visitorOf = (request: HttpRequest): Visitor => {
    const halves = halvesOf(request)
    if (halves === undefined) throw new ApiRefusal(401, 'SignedOut', 'Sign in to use the workbench.')
    const session = sessions.find(halves)
    if (session === undefined) {
      throw new ApiRefusal(401, 'SignedOut', 'Your session has ended. Sign in again to continue.')
    }
    const { who } = session
    if (who.kind === 'operator') return unlimitedVisitor(engine, { kind: 'operator', endsAtMs: endOf(session) })
    return identityVisitor(gate, engine, who.key, request, endOf(session))
  }

  const begin = (request: HttpRequest, halves: SessionHalves): SessionAnswer => {
    // Whoever signs in again has no use for the session of before.
    const former = halvesOf(request)
    if (former !== undefined) sessions.end(former)
    const session = sessions.find(halves)
    const seconds = session === undefined ? 0 : (session.endsAtMs - performance.now()) / 1000
    return {
      answer: { proof: halves.proof },
      headers: { 'Set-Cookie': sessionCookie(request, halves.cookie, seconds) },
    }
  }

  const signIn = async (request: HttpRequest, { token }: JsonObject): Promise<SignInAnswer> => {
    if (token !== undefined) {
      if (typeof token !== 'string' || (!isToken(token) && !gate.isToken(token))) {
        throw new ApiRefusal(
          403,
          'WrongToken',
          'This token is not valid, or it has expired. hashrange token prints a new one.',
        )
      }
      return { session: begin(request, sessions.begin({ kind: 'operator' })) }
    }
    const scope = await authenticate(gate, request)
    const { caller } = scope
    const key = { accessKeyId: caller.accessKeyId, securityToken: request.amzSecurityToken }
    const { session } = caller
    const lastingMs = session === undefined ? undefined : session.expiresAtMs - gate.identities.clock.now()
    return { session: begin(request, sessions.begin({ kind: 'identity', key }, lastingMs)), scope }
  }

  const signOut = (request: HttpRequest): SessionAnswer => {
    const halves = halvesOf(request)
    if (halves !== undefined) sessions.end(halves)
    return { answer: {}, headers: { 'Set-Cookie': sessionCookie(request, '', 0) } }
  }

  return {
    visitorOf,
    session: async (request, action, body) => {
      if (action === 'sign-in') return audited(audit, request, body, () => signIn(request, body))
      if (action === 'sign-out') return signOut(request)
      throw new ApiRefusal(404, 'NotFound', 'The workbench API only has session/sign-in and session/sign-out.')
    },
  }
}

interface SignInAnswer {
  readonly session: SessionAnswer
  readonly scope?: CallingScope
}

function halvesOf(request: HttpRequest): SessionHalves | undefined {
  const cookie = readSessionCookie(request)
  return cookie === undefined || request.workbench === undefined ? undefined : { cookie, proof: request.workbench }
}

/** The page signs this request with the secret, as an SDK would: the secret itself does not leave it. */
async function authenticate(gate: Gate, request: HttpRequest): Promise<CallingScope> {
  if (!(request.authorization ?? '').startsWith('AWS4-')) {
    throw new ApiRefusal(400, 'BadRequest', 'Sign in with a signed request, or send a token.')
  }
  try {
    return await gate.authenticate(request, signingName)
  } catch (error) {
    throw explainSignIn(error)
  }
}

/** As CloudTrail records that somebody signs in to the console. */
async function audited(
  audit: Audit | undefined,
  request: HttpRequest,
  { token }: JsonObject,
  signIn: () => Promise<SignInAnswer>,
): Promise<SessionAnswer> {
  if (audit?.wants('signin', 'ConsoleLogin') !== true) return (await signIn()).session
  const input = { with: token === undefined ? 'access key' : 'token' }
  const call = { request, service: 'signin', operation: 'ConsoleLogin', input, requestId: randomUUID() }
  try {
    const { session, scope } = await signIn()
    audit.record({ ...call, scope, answer: { ConsoleLogin: 'Success' } })
    return session
  } catch (error) {
    audit.record({ ...call, error })
    throw error
  }
}
