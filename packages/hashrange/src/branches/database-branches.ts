import { randomBytes } from 'node:crypto'
import { branchChanges, type BranchDefinition, type Branches, type Engine, type Store } from '@hashrange/engine'
import type { Lambda } from '@hashrange/lambda'

/** A branch that is in use. */
export interface OpenedBranch {
  /** Also closes the store of the branch, and no other. */
  readonly engine: Engine
  readonly lambda: Lambda
}

type PutTogether = (store: Store) => Promise<OpenedBranch>

/** The branches of an open database, each with an engine of its own, and its snapshots. */
export class DatabaseBranches {
  readonly #branches: Branches
  readonly #open: PutTogether
  readonly #main: () => Engine
  /** By the identifier of a branch. */
  readonly #opened = new Map<number, Promise<OpenedBranch>>()
  #isClosed = false

  constructor(branches: Branches, main: () => Engine, open: PutTogether) {
    this.#branches = branches
    this.#main = main
    this.#open = open
  }

  async list(kind: BranchDefinition['kind']): Promise<readonly BranchDefinition[]> {
    return (await this.#branches.list()).filter((branch) => branch.kind === kind)
  }

  /** Makes a branch of all tables as they are now. One without a name is gone when the database is next opened. */
  create(name?: string): Promise<BranchDefinition> {
    return this.#create('branch', name)
  }

  /** Keeps all tables as they are now. */
  save(name: string): Promise<BranchDefinition> {
    return this.#create('snapshot', name)
  }

  /** Keeps what a server has been started with, for `hashrange reset`. Several servers that share a database cannot be set back. */
  async saveSeed(): Promise<void> {
    if (this.#main().catalog.isShared) return
    const name = 'seed'
    if ((await this.list('snapshot')).some((one) => one.name === name)) await this.delete('snapshot', name)
    await this.save(name)
  }

  async delete(kind: BranchDefinition['kind'], name: string): Promise<void> {
    const branch = (await this.list(kind)).find((one) => one.name === name)
    if (branch !== undefined) await this.#close(branch.id)
    await this.#branches.delete(name, kind)
  }

  /** Sets all tables back to a snapshot; to the last one if none is named. */
  async restore(name?: string): Promise<BranchDefinition> {
    const snapshots = await this.list('snapshot')
    const snapshot = name === undefined ? snapshots.at(-1) : snapshots.find((one) => one.name === name)
    if (name === undefined && snapshot === undefined) throw new NothingSaved()
    await this.#branches.restore(snapshot?.name ?? name ?? '', () => this.#main().reload())
    return snapshot ?? this.#missing(name)
  }

  /** The differences between a branch and the data, or between the data and a snapshot; see `branchChanges`. */
  async changes(kind: BranchDefinition['kind'], name: string, from?: string): ReturnType<typeof branchChanges> {
    const branch = (await this.list(kind)).find((one) => one.name === name) ?? this.#missing(name)
    return branchChanges(this.#branches.main.underneath, branch, from)
  }

  /** The engine of a branch, opened when it is first needed; undefined if there is no such branch. */
  async find(name: string): Promise<OpenedBranch | undefined> {
    const branch = (await this.list('branch')).find((one) => one.name === name)
    return branch === undefined || this.#isClosed ? undefined : this.engineOf(branch)
  }

  engineOf(branch: BranchDefinition): Promise<OpenedBranch> {
    const known = this.#opened.get(branch.id)
    if (known !== undefined) return known
    const opening = this.#open(this.#branches.storeOf(branch))
    this.#opened.set(branch.id, opening)
    opening.catch(() => this.#opened.delete(branch.id))
    return opening
  }

  /** For who has used a branch: one without a name is deleted with its last user. */
  async release(branch: BranchDefinition): Promise<void> {
    if (branch.isTemporary === true) await this.delete('branch', branch.name)
  }

  /** Work in the background goes on in every branch, whether or not anybody asks for it. */
  async begin(): Promise<void> {
    await this.#branches.removeAbandoned(this.#main().clock.now() - abandonedMs)
    for (const branch of await this.list('branch')) await this.engineOf(branch)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#opened.keys()].map((id) => this.#close(id)))
  }

  async #create(kind: BranchDefinition['kind'], name?: string): Promise<BranchDefinition> {
    const engine = this.#main()
    return this.#branches.create({
      name: name ?? `temporary-${randomBytes(6).toString('hex')}`,
      kind,
      atMs: engine.clock.steady(),
      steady: () => engine.clock.steady(),
      createdAtMs: engine.clock.now(),
      isTemporary: name === undefined,
      announce: () => engine.catalog.announce(),
    })
  }

  async #close(id: number): Promise<void> {
    const opened = this.#opened.get(id)
    this.#opened.delete(id)
    await (await opened?.catch(() => undefined))?.engine.close()
  }

  #missing(name = ''): never {
    throw new NothingSaved(`There is no branch or snapshot named ${name}.`)
  }
}

/** What has been in the making for so long was left by a server that is gone. */
const abandonedMs = 60_000

/** What is asked for does not exist. */
export class NothingSaved extends Error {
  override readonly name = 'BranchError'

  constructor(message = 'There is no snapshot to go back to. Save one first: hashrange snapshot save NAME') {
    super(message)
  }
}
