import { ServiceError } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import { replicaIn } from '../replication/members.ts'
import type { Lease } from '../work/leases.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { answerExchange } from './answer-exchange.ts'
import { MessageLines } from './change-lines.ts'
import { answerFill } from './fill-page.ts'
import { followSettings } from './follow-settings.ts'
import { createLinkedReplica, fillLinkedReplica, type AskFill } from './join-global-table.ts'
import { learnOfTable, refusesToLeave } from './learn-of-tables.ts'
import { dropLeaving, forgetReplica, noteGone } from './leave-global-table.ts'
import type { LinkHost, Tell } from './link-host.ts'
import {
  LinkRefusal,
  type ExchangeAnswer,
  type ExchangeRequest,
  type ReplicaView,
  type TableView,
} from './link-messages.ts'
import { linkedTable, linkedTables } from './linked-tables.ts'
import { readExchangeRequest, readFillRequest } from './read-message.ts'
import { Receiver, type Received } from './receiver.ts'

/** Asks the server of another region for what was written there. */
export type AskExchange = (request: ExchangeRequest) => Promise<Buffer>

/** Global tables whose replicas are in different stores. Each server asks the servers of the other regions for what was
 *  written there (docs/decisions/0043). How messages travel is not known here. */
export class Links {
  readonly #engine: LinkHost
  readonly #region: string
  readonly #tell: Tell
  readonly #acknowledgements: Acknowledgements
  /** Replicas that could not be created here. */
  readonly #refused = new Set<string>()
  /** Replicas whose servers have said that they are gone. */
  readonly #gone = new Set<string>()
  /** What is told in requests and in responses is learnt one after the other. */
  #learning: Promise<void> = Promise.resolve()

  /** `region` is that of this server. */
  constructor(engine: LinkHost, region: string, tell: Tell, acknowledgedEveryMs = 250) {
    this.#engine = engine
    this.#region = region
    this.#tell = tell
    this.#acknowledgements = new Acknowledgements(engine, acknowledgedEveryMs)
  }

  /** Responds to another server that asks for changes. Throws LinkRefusal if it cannot be followed. */
  async answerExchange(bytes: Buffer, stopping: AbortSignal): Promise<Buffer> {
    const request = readExchangeRequest(new MessageLines(bytes).head())
    await this.#admit(request.from, request.of)
    if (!this.#engine.regions.linkBetween(request.of, request.from).isCut) {
      await this.#learn(request.views ?? [])
      await this.#takeBack(request)
    }
    return answerExchange(this.#engine, this.#acknowledgements, request, stopping)
  }

  /** Responds to another server that fills a replica from here. */
  async answerFill(bytes: Buffer): Promise<Buffer> {
    const request = readFillRequest(new MessageLines(bytes).head())
    await this.#admit(request.from, this.#region)
    return answerFill(this.#engine, this.#region, request)
  }

  /** What receives the writes of another region, as long as this server has the lease for that. */
  receiver(region: string, lease: Lease): Receiver {
    return new Receiver(this.#engine, this.#region, region, lease)
  }

  /** Asks another server once, and follows its response. Undefined if the link is cut on purpose, even if that happened
   *  while the response was on its way. */
  async exchange(receiver: Receiver, ask: AskExchange, waitMs: number): Promise<Received | undefined> {
    if (this.isCut(receiver.region)) return undefined
    const response = await ask(await receiver.request(waitMs, [...this.#refused]))
    if (this.isCut(receiver.region)) return undefined
    const received = await receiver.receive(response)
    await receiver.noteSent(received.answer)
    await this.#follow(receiver.region, received.answer)
    return received
  }

  /** The replicas here that are to be filled from a region. */
  fillsFrom(region: string): readonly Table[] {
    return linkedTables(this.#engine.catalog, region).filter(({ definition }) => {
      const own = replicaIn(definition, definition.region)
      return definition.status === 'CREATING' && own?.status === 'CREATING' && own.filledFrom === region
    })
  }

  fill(table: Table, ask: AskFill, lease: Lease): Promise<void> {
    return fillLinkedReplica(this.#engine, table, ask, lease)
  }

  /** Takes over what others say about global tables, and creates the replicas that are asked for. */
  #learn(views: readonly TableView[]): Promise<void> {
    const learning = this.#learning.then(() => this.#learnAll(views))
    this.#learning = learning.catch(() => undefined)
    return learning
  }

  async #learnAll(views: readonly TableView[]): Promise<void> {
    for (const view of views) {
      if (view.region === this.#region) continue
      const own = view.replicas.find(({ region }) => region === this.#region)
      const isAsked = own?.status === 'CREATING' && own.filledFrom === view.region
      const table = linkedTable(this.#engine.catalog, view.id, this.#region)
      if (table === undefined && isAsked) await this.#create(view)
      for (const member of this.#engine.catalog.all()) {
        if (member.definition.replication?.globalTableId !== view.id) continue
        await this.#learnOf(member, view)
      }
    }
  }

  /** What follows from a response, besides the changes in it. */
  async #follow(region: string, { views, gone, isCut }: ExchangeAnswer): Promise<void> {
    if (isCut) return
    await this.#learn(views ?? [])
    for (const table of linkedTables(this.#engine.catalog, region)) {
      const id = table.definition.replication?.globalTableId ?? ''
      if (!gone.includes(id)) continue
      const own = replicaIn(table.definition, table.definition.region)
      const other = replicaIn(table.definition, region)
      if (other === undefined || other.status === 'CREATING') continue
      this.#gone.add(nameOf(id, other))
      if (own?.status === 'DELETING') await noteGone(this.#engine, table, region)
      else if (own?.status !== 'ACTIVE') continue
      else if (other.status === 'DELETING' || other.unconfirmed === true)
        await forgetReplica(this.#engine, table, region)
      else {
        this.#tell(
          `gone ${id} ${region}`,
          `${region} no longer has its replica of ${table.name}. Delete it with UpdateTable here, and create it again.`,
        )
      }
    }
    await dropLeaving(this.#engine)
    if (views === undefined) return
    // A replica that nobody wants any more before it was filled.
    const wanted = new Set(views.map(({ id }) => id))
    for (const table of this.fillsFrom(region)) {
      if (wanted.has(table.definition.replication?.globalTableId ?? '')) continue
      await this.#engine.catalog.drop(table)
      this.#engine.purge()
    }
  }

  /** Whether the link to a region is cut on purpose here. */
  isCut(region: string): boolean {
    return this.#engine.regions.linkBetween(region, this.#region).isCut
  }

  async #learnOf(member: Table, view: TableView): Promise<void> {
    try {
      if (refusesToLeave(member.definition, view)) {
        this.#tell(
          `protected ${view.id} ${view.region}`,
          `The replica of ${member.name} in ${view.region} was not removed, because it has deletion protection enabled.`,
        )
      }
      const mayBeThere = (replica: ReplicaView): boolean =>
        this.#engine.regionsElsewhere.has(replica.region) && !this.#gone.has(nameOf(view.id, replica))
      await learnOfTable(this.#engine, member, view, mayBeThere)
      await followSettings(this.#engine, member, view)
    } catch (error) {
      // It was deleted at this very moment, or its settings cannot be those of the other.
      if (!(error instanceof ServiceError)) throw error
      this.#tell(`settings ${view.id}`, `${member.name} cannot follow ${view.region}: ${error.message}`)
    }
  }

  async #create(view: TableView): Promise<void> {
    const problem = await createLinkedReplica(this.#engine, this.#region, view)
    if (problem === undefined) {
      this.#refused.delete(view.id)
      return
    }
    this.#refused.add(view.id)
    this.#tell(
      `create ${view.id}`,
      `The replica of ${view.tableName} that ${view.region} asked for cannot be created here: ${problem}`,
    )
  }

  /** A replica that cannot be created there: it is as if none had been asked for, as in the service. */
  async #takeBack({ refused, from, of }: ExchangeRequest): Promise<void> {
    for (const id of refused) {
      const table = linkedTable(this.#engine.catalog, id, of)
      if (table === undefined || replicaIn(table.definition, from)?.status !== 'CREATING') continue
      await forgetReplica(this.#engine, table, from)
      this.#tell(
        `refused ${id} ${from}`,
        `${from} cannot create a replica of ${table.name}: see the messages there.`,
      )
    }
  }

  async #admit(from: string, of: string): Promise<void> {
    if (!this.#engine.regionsElsewhere.has(from)) {
      throw new LinkRefusal(403, `The server of ${of} has no link to ${from}.`, from)
    }
    if (this.#engine.regionsElsewhere.has(of)) {
      throw new LinkRefusal(403, `This is not the server of ${of}, but one that is linked to it.`)
    }
    if (of !== this.#region) {
      throw new LinkRefusal(403, `This is the server of ${this.#region}, and not of ${of}.`)
    }
    await this.#engine.refresh()
  }
}

/** A replica that comes back to a region is another one. */
function nameOf(id: string, { region, joinedAtMs = 0 }: ReplicaView): string {
  return `${id} ${region} ${joinedAtMs}`
}
