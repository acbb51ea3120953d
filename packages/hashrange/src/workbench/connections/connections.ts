import type { ConnectionInfo } from '@hashrange/workbench/answers'
import { ApiRefusal } from '../api-handler.ts'
import { describeConnection, readConnection, type Connection } from './connection.ts'
import { openRoute, type RemoteRoute } from './remote-route.ts'
import { WritingGrants } from './writing-grants.ts'

const mostConnections = 100

/** The other databases that the page may use through this server. Requests go to these and nowhere else. */
export class Connections {
  readonly grants = new WritingGrants()
  readonly #declared: ReadonlySet<string>
  readonly #connections = new Map<string, Connection>()
  readonly #routes = new Map<string, Promise<RemoteRoute>>()

  constructor(declared: readonly Connection[]) {
    for (const connection of declared) this.#connections.set(connection.name, connection)
    this.#declared = new Set(this.#connections.keys())
  }

  list(): readonly ConnectionInfo[] {
    return [...this.#connections.values()].map((connection) =>
      describeConnection(connection, this.#declared.has(connection.name)),
    )
  }

  require(name: string): Connection {
    const found = this.#connections.get(name)
    if (found !== undefined) return found
    throw new ApiRefusal(
      404,
      'NoConnection',
      `There is no connection "${name.slice(0, 60)}" any more. Choose another one at the top left, or add it again.`,
    )
  }

  /** Adds what a person has entered. It is forgotten when the server stops. */
  add(name: string, entered: unknown): ConnectionInfo {
    if (this.#connections.has(name)) {
      throw new ApiRefusal(400, 'NameInUse', `There is already a connection ${name}. Choose another name.`)
    }
    if (this.#connections.size >= mostConnections) {
      throw new ApiRefusal(400, 'TooMany', 'There are too many connections. Remove one that you do not need.')
    }
    const connection = readConnection(name, entered, this.#connections.size)
    this.#connections.set(name, connection)
    return describeConnection(connection, false)
  }

  remove(name: string): void {
    this.require(name)
    if (this.#declared.has(name)) {
      throw new ApiRefusal(
        400,
        'Declared',
        `${name} was declared when hashrange was started. Remove it from the command line or the configuration file.`,
      )
    }
    this.#connections.delete(name)
    this.grants.endAll(name)
    for (const key of this.#routes.keys()) if (key.startsWith(`${name} `)) this.#routes.delete(key)
  }

  /** Clients of the SDK remember credentials until they expire, so each is made once. */
  routeOf(connection: Connection, region: string): Promise<RemoteRoute> {
    const key = routeKey(connection, region)
    const known = this.#routes.get(key)
    if (known !== undefined) return known
    if (this.#routes.size >= mostConnections) this.#routes.clear()
    const route = openRoute(connection, region)
    this.#routes.set(key, route)
    route.catch(() => this.#routes.delete(key))
    return route
  }

  /** Its credentials are not valid (any more): the next request looks for them again. */
  forgetRoute(connection: Connection, region: string): void {
    this.#routes.delete(routeKey(connection, region))
  }
}

function routeKey({ name }: Connection, region: string): string {
  return `${name} ${region}`
}
