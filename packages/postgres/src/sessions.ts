import type { Settings } from './options.ts'
import type { Permission } from './schema/permission.ts'
import { allStatements, type Statements } from './schema/statements.ts'
import {
  oneNodeSettings,
  readOnly,
  readWrite,
  sessionSettings,
  severalNodes,
  writerWishes,
} from './session-settings.ts'
import type { Row } from './connection/inbox.ts'
import { Link } from './connection/link.ts'

type SessionSettings = Readonly<Record<string, string>>

export interface SessionsOptions {
  readonly settings: Settings
  readonly statements: Statements
  readonly distributed: boolean
  readonly permission: Permission
  readonly answerMs: number
}

/** Opens connections to the database, for each of the purposes of a store. */
export class Sessions {
  readonly #options: SessionsOptions

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** The settings of those that read. */
  get ofReaders(): SessionSettings {
    return this.#of(readOnly)
  }

  /** If this process stands still in the middle of a transaction, others must not wait for it for long. */
  get ofWriters(): SessionSettings {
    return { ...readWrite, idle_in_transaction_session_timeout: String(this.#options.settings.patienceMs) }
  }

  openReader(): Promise<Link> {
    return this.#open(this.ofReaders)
  }

  openSnapshot(): Promise<Link> {
    return this.#open({ ...this.ofReaders, idle_in_transaction_session_timeout: '0' })
  }

  /** Rejects while this server may not write. */
  async openWriter(): Promise<Link> {
    const { distributed, permission, settings } = this.#options
    const session = this.#of({ ...this.ofWriters, ...(distributed && severalNodes) })
    const link = await this.#open(session, writerWishes, (row) => permission.noteWriter(row, settings.onlyReads))
    if (permission.writeRefusal === undefined) return link
    link.end()
    throw permission.writeRefusal
  }

  #of(session: SessionSettings): SessionSettings {
    const { settings, distributed } = this.#options
    return { ...sessionSettings(settings.timeoutMs), ...(!distributed && oneNodeSettings), ...session }
  }

  #open(settings: SessionSettings, wishes: SessionSettings = {}, onRow?: (row: Row) => void): Promise<Link> {
    const { statements, distributed, permission, answerMs } = this.#options
    const note = onRow ?? ((row: Row): void => permission.note(row))
    return Link.open({
      connect: this.#options.settings.connect,
      settings,
      wishes,
      statements: allStatements(statements, distributed),
      first: { statement: statements.probe, parameters: [], onRow: note },
      answerMs,
    })
  }
}
