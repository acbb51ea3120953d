import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashrangeMain } from '../support/hashrange-main.ts'
import { ServerProcess } from '../system/server-process.ts'
import { Wire } from './wire.ts'

type Plain = Readonly<Record<string, unknown>>

/** Servers of several regions, each a process with a store of its own, and wires between them. */
export class LinkedServers {
  readonly regions: readonly string[]
  readonly #folder: string
  readonly #stores: Readonly<Record<string, string>>
  readonly #servers = new Map<string, ServerProcess>()
  /** By who asks, and who is asked. */
  readonly #wires = new Map<string, Wire>()

  private constructor(regions: readonly string[], folder: string, stores: Readonly<Record<string, string>>) {
    this.regions = regions
    this.#folder = folder
    this.#stores = stores
  }

  /** `stores` are the URLs of the databases of regions that are not in a folder. */
  static async start(
    regions: readonly string[],
    stores: Readonly<Record<string, string>> = {},
  ): Promise<LinkedServers> {
    const linked = new LinkedServers(regions, await mkdtemp(join(tmpdir(), 'hashrange-links-')), stores)
    for (const from of regions) {
      for (const to of regions) if (from !== to) linked.#wires.set(`${from} ${to}`, await Wire.open())
    }
    await Promise.all(regions.map((region) => linked.startServer(region)))
    return linked
  }

  async startServer(region: string): Promise<void> {
    const others = this.regions.filter((other) => other !== region)
    const store = this.#stores[region]
    const server = await ServerProcess.start(
      [
        '--no-workbench',
        ...(store === undefined ? ['--path', join(this.#folder, region)] : ['--store', store]),
        '--region',
        region,
        ...others.flatMap((other) => ['--replicate', `${other}=${this.wire(region, other).url}`]),
      ],
      hashrangeMain,
      'ignore',
    )
    this.#servers.set(region, server)
    for (const other of others) this.wire(other, region).leadTo(server.endpoint)
  }

  wire(from: string, to: string): Wire {
    const wire = this.#wires.get(`${from} ${to}`)
    if (wire === undefined) throw new Error(`there is no wire from ${from} to ${to}`)
    return wire
  }

  /** Ends a server as a crash does. */
  async kill(region: string): Promise<void> {
    await this.#servers.get(region)?.kill()
    this.#servers.delete(region)
  }

  isRunning(region: string): boolean {
    return this.#servers.has(region)
  }

  call<Answer = Plain>(region: string, operation: string, input: object): Promise<Answer> {
    const server = this.#servers.get(region)
    if (server === undefined) return Promise.reject(new Error(`the server of ${region} does not run`))
    return server.call<Answer>(operation, input, region)
  }

  async report(region: string): Promise<{ readonly links: readonly { readonly pending: number }[] }> {
    const server = this.#servers.get(region)
    const response = await fetch(`${server?.endpoint ?? ''}/_hashrange/regions`)
    return (await response.json()) as { readonly links: readonly { readonly pending: number }[] }
  }

  async heal(): Promise<void> {
    for (const wire of this.#wires.values()) wire.mend()
    await Promise.all(
      this.regions.filter((region) => !this.isRunning(region)).map((region) => this.startServer(region)),
    )
  }

  /** All items of a region's replica, by key. */
  async items(region: string, TableName: string, IndexName?: string): Promise<Readonly<Record<string, Plain>>> {
    const items: Record<string, Plain> = {}
    let ExclusiveStartKey: unknown
    do {
      const page: Plain = await this.call(region, 'Scan', { TableName, IndexName, ExclusiveStartKey })
      for (const item of page['Items'] as Plain[]) items[(item['pk'] as { S: string }).S] = item
      ExclusiveStartKey = page['LastEvaluatedKey']
    } while (ExclusiveStartKey !== undefined)
    return items
  }

  /** Where the data of a region is, after its server has ended. */
  folderOf(region: string): string {
    return join(this.#folder, region)
  }

  async close(): Promise<void> {
    for (const region of this.regions) await this.kill(region)
    for (const wire of this.#wires.values()) await wire.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
