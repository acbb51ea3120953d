import { StorageError } from '@hashrange/engine'

/** The parts of a store's URL, as libpq reads it (PostgreSQL's manual, "Connection URIs"). Missing parts are absent. */
export interface StoreUrl {
  readonly hosts: readonly Host[]
  /** Standbys that are only used for reads. */
  readonly replicas: readonly Host[]
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string | undefined
  readonly parameters: ReadonlyMap<string, string>
}

export interface Host {
  /** A name, an address, or the folder of a Unix socket, which starts with a slash. Without one, it is this machine. */
  readonly name: string | undefined
  readonly port: number | undefined
}

/** No message shows any part of the URL that may belong to the password. */
export function parseStoreUrl(url: string, environment: NodeJS.ProcessEnv = process.env): StoreUrl {
  const scheme = /^postgres(?:ql)?:\/\//i.exec(url)?.[0]
  if (scheme === undefined) throw notUrl()
  const rest = url.slice(scheme.length)
  const { user, password, after } = credentialsOf(rest)
  const [, authority = '', path = '', query = ''] = /^([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(after) ?? []
  if (authority.includes('@') || path.includes('@') || authority.includes('#')) throw notUrl()
  const parameters = parametersOf(query)
  const named = parameters.get('host') ?? (authority === '' ? environment['PGHOST'] : undefined)
  const ports = (parameters.get('port') ?? environment['PGPORT'])?.split(',') ?? []
  const replicas = parameters.get('read_replicas')
  return {
    hosts: named === undefined ? hostsOf(authority, ports) : hostsNamed(named.split(','), ports),
    replicas: replicas === undefined ? [] : hostsOf(replicas, ports),
    user: parameters.get('user') ?? user,
    password: parameters.get('password') ?? password,
    database: parameters.get('dbname') ?? (path === '' ? undefined : decoded(path)),
    parameters,
  }
}

interface Credentials {
  readonly user: string | undefined
  readonly password: string | undefined
  readonly after: string
}

/** They end at the first @, unless a slash comes before it. */
function credentialsOf(rest: string): Credentials {
  const at = rest.search(/[@/]/)
  if (rest[at] !== '@') return { user: undefined, password: undefined, after: rest }
  const credentials = rest.slice(0, at)
  const colon = credentials.indexOf(':')
  return {
    user: decoded(colon < 0 ? credentials : credentials.slice(0, colon)) || undefined,
    password: colon < 0 ? undefined : decoded(credentials.slice(colon + 1)),
    after: rest.slice(at + 1),
  }
}

function hostsOf(authority: string, ports: readonly string[]): readonly Host[] {
  return authority.split(',').map((text, index) => {
    const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/.exec(text) ?? []
    if (bracketed === undefined && plain === undefined) throw notUrl()
    const name = decoded(bracketed ?? plain ?? '')
    return { name: name === '' ? undefined : name, port: portOf(port || portAt(ports, index)) }
  })
}

function hostsNamed(names: readonly string[], ports: readonly string[]): readonly Host[] {
  return names.map((name, index) => ({ name: name === '' ? undefined : name, port: portOf(portAt(ports, index)) }))
}

/** One port is for all hosts. */
function portAt(ports: readonly string[], index: number): string | undefined {
  return ports.length === 1 ? ports[0] : ports[index]
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const port = Number(text)
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port
  throw new StorageError('io', `${text} in the store's URL is not a port: a number from 1 to 65535 is needed.`)
}

function parametersOf(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const part of query.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decoded(equals < 0 ? part : part.slice(0, equals))
    if (!knownParameters.has(name)) {
      const known = [...knownParameters].toSorted().join(', ')
      throw new StorageError('io', `The store's URL has an unknown parameter, ${name}. These are known: ${known}.`)
    }
    parameters.set(name, equals < 0 ? '' : decoded(part.slice(equals + 1)))
  }
  return parameters
}

/** Those of libpq that matter here, and some of our own. A misspelt one must not be ignored: it may be the one that
 *  protects the connection. */
const knownParameters: ReadonlySet<string> = new Set([
  'application_name',
  'citus_workers',
  'connect_timeout',
  'dbname',
  'fallback_application_name',
  'host',
  'max_replica_lag_ms',
  'options',
  'password',
  'port',
  'read_replicas',
  'schema',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslnegotiation',
  'sslrootcert',
  'target_session_attrs',
  'timeout_ms',
  'user',
])

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw notUrl()
  }
}

function notUrl(): StorageError {
  return new StorageError(
    'io',
    'The store is not a URL of the form postgres://user:password@host:port/database. If the password contains special characters, percent-encode them: %40 for @, %2F for /, %25 for %.',
  )
}
