import { ServiceError } from '@hashrange/core'
import type { MaybePromise, Scope } from '@hashrange/engine'
import { unrecognizedClient, type Executor, type HttpRequest, type Route } from '@hashrange/server'
import { authorize } from '../authorization/authorize.ts'
import type { ExplainedDecision } from '../authorization/explain-decision.ts'
import type { KnownTables } from '../authorization/need.ts'
import type { IamContext } from '../iam/iam-context.ts'
import { CallerPolicies } from '../identities/caller-policies.ts'
import { isCalling, type CallingScope, type OperatorScope } from '../identities/calling-scope.ts'
import { Credentials, type Credential } from '../identities/credentials.ts'
import type { Identities } from '../identities/identities.ts'
import { callerNames, type CallerNames } from '../identities/principal.ts'
import { idOfToken, isBearerToken } from '../secrets/bearer-token.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { SignatureVerifier, type SignatureClaim } from '../signatures/signature-verifier.ts'
import { closedRoute, operatorService } from './closed-route.ts'
import { explainRequest, type AskedRequest, type Explanation } from './explain-request.ts'
import { FactsOfRequest } from './facts-of-request.ts'
import { knownIdentities } from './known-identities.ts'
import { LastUses } from './last-uses.ts'
import { assertMayOperate, type OperatorAction } from './may-operate.ts'
import { PageSessions, type KnownKey } from './page-sessions.ts'
import { simulateRequest, type Simulation } from './simulate-request.ts'

/** How often a server that shares its store looks for keys that it does not know, at most. */
const lookAgainMs = 200

/** What stands before every request of a closed server: who asks is verified, and then whether they may. */
export class Gate {
  readonly identities: Identities
  readonly tables: KnownTables
  readonly #box: SecretBox
  readonly #verifier = new SignatureVerifier()
  readonly #credentials: Credentials
  readonly #policies = new CallerPolicies()
  readonly #uses: LastUses
  #lookedAtMs = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined

  private constructor(identities: Identities, box: SecretBox, tables: KnownTables) {
    this.identities = identities
    this.#box = box
    this.tables = tables
    this.#credentials = new Credentials(box)
    this.#uses = new LastUses(identities)
  }

  static async open({ identities, box }: IamContext, tables: KnownTables): Promise<Gate> {
    await identities.refresh()
    return new Gate(identities, await box(), tables)
  }

  /** Whose request it is; throws the service's refusal if that cannot be said. A server that shares its store may have to ask it for a key that another one has made. */
  authenticate(request: HttpRequest, service = 'dynamodb'): MaybePromise<CallingScope> {
    const nowMs = this.identities.clock.now()
    const claim = this.#verifier.claimOf(request, service, nowMs)
    const credential = this.#find(claim)
    if (credential !== undefined) return this.#admit(request, claim, credential, nowMs)
    if (!this.identities.isShared) throw unrecognizedClient()
    return this.#lookAgain().then(() => {
      const found = this.#find(claim)
      if (found === undefined) throw unrecognizedClient()
      return this.#admit(request, claim, found, nowMs)
    })
  }

  /** Whose request it is that a page sends after its user has signed in with `key`; nothing once that key is deactivated, deleted or expired. */
  scopeOf(
    { accessKeyId, securityToken }: KnownKey,
    region: string,
    request: HttpRequest,
  ): CallingScope | undefined {
    const nowMs = this.identities.clock.now()
    const credential = this.#credentials.find(this.identities.book, accessKeyId, securityToken)
    if (credential === undefined) return undefined
    const { caller, principal } = credential
    if (caller.session !== undefined && caller.session.expiresAtMs <= nowMs) return undefined
    this.#uses.note(caller, 'dynamodb', region, nowMs)
    const facts = new FactsOfRequest(principal, caller, region, request, nowMs)
    return { accountId: caller.accountId, region, caller, facts }
  }

  /** The scope in which a caller may have done what it asks for; throws if it may not. */
  admit(scope: Scope, target: string, operation: string, body: unknown): Scope {
    if (!isCalling(scope)) throw new Error('a request came past the gate')
    return this.#authorize(scope, target, operation, body)
  }

  /** Throws unless a caller may do what it asks for. */
  assertMay(scope: CallingScope, target: string, operation: string, body: unknown): void {
    this.#authorize(scope, target, operation, body)
  }

  /** Throws unless whoever a scope is of may do it: an unverified one may do nothing. */
  assertMayAs(scope: Scope, target: string, operation: string, body: unknown): void {
    if (!isCalling(scope)) throw unrecognizedClient()
    this.#authorize(scope, target, operation, body)
  }

  /** Throws unless a caller may use what concerns the whole server. */
  assertMayOperate(scope: CallingScope, action: OperatorAction, path: string): void {
    assertMayOperate(this, scope, action, path)
  }

  /** What decides about a caller's own request, for people to read. */
  explain(scope: CallingScope, asked: AskedRequest): Explanation {
    return explainRequest(this, scope, asked)
  }

  /** What would be decided for somebody else. Without a caller, it is the operator who asks. */
  simulate(scope: Scope, caller: CallingScope | undefined, simulation: Simulation): readonly ExplainedDecision[] {
    return simulateRequest(this, scope, caller, simulation)
  }

  /** Sessions of those who use a page of this server. */
  openSessions(): PageSessions {
    return new PageSessions()
  }

  /** What a caller is called, for people. */
  namesOf({ caller }: CallingScope): CallerNames {
    return callerNames(caller)
  }

  /** Asks the store for identities that came since. All who ask in a while wait for one look, so strangers cannot keep the store busy. */
  #lookAgain(): Promise<void> {
    this.#looking ??= this.#look()
    return this.#looking
  }

  async #look(): Promise<void> {
    const pauseMs = this.#lookedAtMs + lookAgainMs - performance.now()
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, pauseMs)))
    this.#lookedAtMs = performance.now()
    // Who comes from now on may ask for what is written from now on.
    this.#looking = undefined
    await this.identities.refreshFromNow()
  }

  /** Carries out what its caller may do, and refuses the rest before anything is looked at. */
  guard(executor: Executor): Executor {
    return {
      knows: (target, operation) => executor.knows(target, operation),
      execute: (scope, target, operation, body) => {
        const { accountId, region } = scope
        return executor.execute({ accountId, region }, target, operation, body, () =>
          this.admit(scope, target, operation, body),
        )
      },
    }
  }

  /** What a server has beside the services' APIs, below these paths, for whoever runs it. */
  closeRoutes(paths: readonly string[], routes: readonly Route[]): Route {
    return closedRoute(this, paths, routes)
  }

  /** Whether a request for what has no signature of its own, such as metrics, carries a token of this server. */
  hasToken(request: HttpRequest): boolean {
    const token = tokenIn(request)
    return token !== undefined && this.isToken(token)
  }

  /** Who has sent a request to a closed route: nobody who is known, if it was refused. */
  async operatorOf(request: HttpRequest): Promise<Scope | undefined> {
    const token = tokenIn(request)
    if (token !== undefined) return this.isToken(token) ? this.#operator(token) : undefined
    try {
      return await this.authenticate(request, operatorService)
    } catch (error) {
      if (error instanceof ServiceError) return undefined
      throw error
    }
  }

  #operator(token: string): OperatorScope {
    const { homeAccountId = 'unknown' } = this.identities.book
    return { accountId: homeAccountId, region: 'unknown', tokenId: idOfToken(token) }
  }

  isToken(token: string): boolean {
    return isBearerToken(this.#box, token, this.identities.clock.now())
  }

  /** Writes down which keys were used; done now and then. */
  noteUses(): Promise<void> {
    return this.#uses.flush()
  }

  #find({ scope, securityToken }: SignatureClaim): Credential | undefined {
    return this.#credentials.find(this.identities.book, scope.accessKeyId, securityToken)
  }

  #admit(request: HttpRequest, claim: SignatureClaim, credential: Credential, nowMs: number): CallingScope {
    const { secret, caller, principal } = credential
    this.#verifier.assertSignedWith(secret, request, claim)
    if (caller.session !== undefined && caller.session.expiresAtMs <= nowMs) {
      throw new ServiceError('ExpiredTokenException', 'The security token included in the request is expired')
    }
    const { region } = claim.scope
    this.#uses.note(caller, claim.service, region, nowMs)
    const facts = new FactsOfRequest(principal, caller, region, request, nowMs)
    return { accountId: caller.accountId, region, caller, facts }
  }

  /** The scope to carry it out in. Who assumes a role is for the role to decide. */
  #authorize(scope: CallingScope, target: string, operation: string, body: unknown): Scope {
    const { accountId, region, caller, facts } = scope
    if (operation === 'AssumeRole' && target === 'AWSSecurityTokenServiceV20110615') return scope
    const { book } = this.identities
    const owner = authorize({
      facts,
      policies: this.#policies.of(book, caller),
      scope: { accountId, region },
      target,
      operation,
      body,
      tables: this.tables,
      identities: target === 'AWSIdentityManagementV20100508' ? knownIdentities(book, caller) : undefined,
    })
    // Only IAM and STS ask who it is. What goes on in the background keeps its scope for long, and need not keep the request.
    return target.startsWith('AWS') ? scope : owner
  }
}

function tokenIn({ authorization }: HttpRequest): string | undefined {
  return authorization !== undefined && /^bearer /i.test(authorization)
    ? authorization.slice('bearer '.length).trim()
    : undefined
}
