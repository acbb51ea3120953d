import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The names of credentials, without their secret. */
export interface KnownKey {
  readonly accessKeyId: string
  /** Of temporary credentials. */
  readonly securityToken?: string | undefined
}

/** Who has signed in: an identity with its key, or whoever runs the server. */
export type SignedIn = { readonly kind: 'identity'; readonly key: KnownKey } | { readonly kind: 'operator' }

/** The two halves of a session. The cookie goes to every port of a host, and scripts cannot read it; the proof is kept by the page for its own
 *  origin. Either is worth nothing without the other. */
export interface SessionHalves {
  readonly cookie: string
  readonly proof: string
}

export interface PageSession {
  readonly who: SignedIn
  /** On this server's counter, which nobody can set. */
  readonly endsAtMs: number
}

interface KeptSession extends PageSession {
  readonly proofHash: Buffer
  usedAtMs: number
}

export const sessionMs = 12 * 3_600_000
const idleMs = 3_600_000
const mostSessions = 1000
const mostOfOne = 50

/** Sessions of people who use a page of this server. They are in memory: a restart ends all of them. Only hashes are kept, so that neither a dump of
 *  the memory nor the time of a comparison tells a session. */
export class PageSessions {
  readonly #sessions = new Map<string, KeptSession>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  get size(): number {
    return this.#sessions.size
  }

  /** `lastingMs` is how long the credentials are good for, if that is shorter. */
  begin(who: SignedIn, lastingMs: number = sessionMs): SessionHalves {
    const nowMs = this.#nowMs()
    this.#makeRoom(who, nowMs)
    const halves = { cookie: secret(), proof: secret() }
    this.#sessions.set(hash(halves.cookie).toString('hex'), {
      who,
      endsAtMs: nowMs + Math.min(sessionMs, lastingMs),
      proofHash: hash(halves.proof),
      usedAtMs: nowMs,
    })
    return halves
  }

  find(halves: SessionHalves): PageSession | undefined {
    const nowMs = this.#nowMs()
    const name = hash(halves.cookie).toString('hex')
    const session = this.#sessions.get(name)
    if (session === undefined) return undefined
    if (isOver(session, nowMs)) {
      this.#sessions.delete(name)
      return undefined
    }
    if (!timingSafeEqual(session.proofHash, hash(halves.proof))) return undefined
    session.usedAtMs = nowMs
    return session
  }

  end(halves: SessionHalves): void {
    if (this.find(halves) !== undefined) this.#sessions.delete(hash(halves.cookie).toString('hex'))
  }

  /** Those that are over go first, then those that were not used for longest: of the same person, then of all. */
  #makeRoom(who: SignedIn, nowMs: number): void {
    for (const [name, session] of this.#sessions) if (isOver(session, nowMs)) this.#sessions.delete(name)
    const same = [...this.#sessions].filter(([, session]) => isSame(session.who, who))
    if (same.length >= mostOfOne) this.#forgetOldest(same)
    else if (this.#sessions.size >= mostSessions) this.#forgetOldest([...this.#sessions])
  }

  #forgetOldest(sessions: readonly (readonly [string, KeptSession])[]): void {
    const [oldest] = sessions.toSorted(([, one], [, other]) => one.usedAtMs - other.usedAtMs)
    if (oldest !== undefined) this.#sessions.delete(oldest[0])
  }
}

function isOver({ endsAtMs, usedAtMs }: KeptSession, nowMs: number): boolean {
  return nowMs >= endsAtMs || nowMs - usedAtMs >= idleMs
}

function isSame(one: SignedIn, other: SignedIn): boolean {
  if (one.kind !== 'identity' || other.kind !== 'identity') return one.kind === other.kind
  return one.key.accessKeyId === other.key.accessKeyId
}

function secret(): string {
  return randomBytes(24).toString('base64url')
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
