import type { HttpRequest } from '../http/http-request.ts'
import { hostKindOf, isLoopback, type HostKind, type HostNames } from './host-name.ts'

export interface AccessOptions {
  /** The names besides its own under which the server answers: names, `.domain` for all names below it, `*` for every name. */
  readonly allowedHosts?: readonly string[] | undefined
  /** The origins of pages that may use the service besides those of this machine, such as `https://app.example.com`; `*` is every one. */
  readonly cors?: readonly string[] | undefined
}

const rememberedHosts = 1_000

/** Which requests are looked at at all, by where they come from. Signatures are not verified, so that a page which can send requests here
 *  could read and write everything: a page of another machine may not, unless the operator says so, and neither may one that has had its
 *  name point at this machine. Programs send no `Origin`, and are asked only what they call us. */
export class AccessPolicy {
  readonly #names: HostNames
  readonly #isOpen: boolean
  readonly #origins: ReadonlySet<string>
  readonly #kinds = new Map<string, HostKind>()

  constructor(boundHost: string, { allowedHosts, cors = [] }: AccessOptions = {}) {
    this.#names = { boundHost, allowedHosts }
    this.#isOpen = cors.includes('*')
    this.#origins = new Set(cors.map(normalOrigin))
  }

  /** Why a request is refused, in a sentence that says what to do; nothing if it may be answered. */
  refusalOf(request: HttpRequest): string | undefined {
    const { host, origin } = request
    // Only HTTP/1.0 can do without a Host, and no browser speaks it.
    const kind = host === undefined ? 'own' : this.hostKindOf(host)
    if (kind === 'foreign') return foreignHost(host ?? '')
    if (origin !== undefined) return this.#isAllowed(origin, host, kind) ? undefined : foreignOrigin(origin)
    // Browsers that are old enough send forms without an Origin, but say from where.
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
}

/** An origin as browsers write it. Those of browsers' extensions are no URLs that the standard knows, and stay as they are. */
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

function foreignHost(host: string): string {
  const name = told(host.replace(/:\d*$/, ''))
  return `This server does not answer under the name ${name}. If the name is yours, start hashrange with --allowed-hosts ${name}.`
}

function foreignOrigin(origin: string): string {
  return `Web pages from ${told(origin)} are not allowed to use this server. If the page is yours, start hashrange with --cors ${told(origin)}.`
}

/** What a stranger has sent is told to those who read logs, too. */
function told(text: string): string {
  return text.slice(0, 255).replaceAll(/[^\w.:/[\]*-]/g, '?')
}
