import type { HttpRequest } from '../http/http-request.ts'
import { hostKindOf, isLoopback, type HostKind, type HostNames } from './host-name.ts'

export interface AccessOptions {
  /** The names besides its own under which the server answers: names, `.domain` for all names below it, `*` for every
   *  name. */
  readonly allowedHosts?: readonly string[] | undefined
  /** The origins of pages that may use the service, besides those on this machine, such as `https://app.example.com`;
   *  `*` means all. */
  readonly cors?: readonly string[] | undefined
}

/** How to allow what is rejected, in a sentence. The caller provides it: only the caller knows the names of its
 *  settings. */
export interface AccessAdvice {
  ofHost(name: string): string
  ofOrigin(origin: string): string
}

const rememberedHosts = 1_000

/** Which requests are accepted, by where they come from. Signatures are not verified, so a page that can send
 *  requests here could read and write everything. Therefore a page from another machine may not, unless the operator
 *  allows it, and neither may one that has pointed its name at this machine. Programs send no `Origin`, so only the
 *  host name they use is checked. */
export class AccessPolicy {
  readonly #names: HostNames
  readonly #isOpen: boolean
  readonly #origins: ReadonlySet<string>
  readonly #advice: AccessAdvice | undefined
  readonly #kinds = new Map<string, HostKind>()

  constructor(boundHost: string, { allowedHosts, cors = [] }: AccessOptions = {}, advice?: AccessAdvice) {
    this.#advice = advice
    this.#names = { boundHost, allowedHosts }
    this.#isOpen = cors.includes('*')
    this.#origins = new Set(cors.map(normalOrigin))
  }

  /** Why a request is rejected, and what to do about it; undefined if it may be answered. */
  refusalOf(request: HttpRequest): string | undefined {
    const { host, origin } = request
    // Only HTTP/1.0 works without a Host, and no browser uses it.
    const kind = host === undefined ? 'own' : this.hostKindOf(host)
    if (kind === 'foreign') return this.#foreignHost(host ?? '')
    if (origin !== undefined) return this.#isAllowed(origin, host, kind) ? undefined : this.#foreignOrigin(origin)
    // Old browsers send forms without an Origin, but with a Referer.
    return isForeignForm(request) && !this.#isOpen ? foreignSite : undefined
  }

  /** Clients send the same few hosts again and again. */
  hostKindOf(host: string): HostKind {
    const known = this.#kinds.get(host)
    if (known !== undefined) return known
    const kind = hostKindOf(host, this.#names)
    if (this.#kinds.size >= rememberedHosts) this.#kinds.clear()
    this.#kinds.set(host, kind)
    return kind
  }

  #isAllowed(origin: string, host: string | undefined, kind: HostKind): boolean {
    if (this.#isOpen || this.#origins.has(origin)) return true
    if (kind === 'own' && (origin === `http://${host}` || origin === `https://${host}`)) return true
    return isLoopbackOrigin(origin)
  }

  #foreignHost(host: string): string {
    const name = told(host.replace(/:\d*$/, ''))
    return joined(`This server does not answer under the name ${name}.`, this.#advice?.ofHost(name))
  }

  #foreignOrigin(origin: string): string {
    const page = told(origin)
    return joined(`Web pages from ${page} are not allowed to use this server.`, this.#advice?.ofOrigin(page))
  }
}

/** An origin as browsers write it. Those of browser extensions are not standard URLs, and stay as they are. */
function normalOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null'
  return origin === 'null' ? text : origin
}

function isLoopbackOrigin(origin: string): boolean {
  if (!/^https?:/.test(origin) || !URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.origin === origin && isLoopback(url.hostname.replaceAll(/[[\]]/g, ''))
}

function isForeignForm({ method, secFetchSite }: HttpRequest): boolean {
  return secFetchSite === 'cross-site' && method !== 'GET' && method !== 'HEAD'
}

const foreignSite = 'Web pages from other sites are not allowed to use this server.'

function joined(fact: string, advice: string | undefined): string {
  return advice === undefined ? fact : `${fact} ${advice}`
}

/** What a stranger has sent also appears in logs. */
function told(text: string): string {
  return text.slice(0, 255).replaceAll(/[^\w.:/[\]*-]/g, '?')
}
