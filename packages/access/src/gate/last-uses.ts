import type { Identities } from '../identities/identities.ts'
import type { KeyUseRecord } from '../identities/identity-records.ts'
import type { Caller } from '../identities/principal.ts'

const mostKept = 10_000

/** Which keys and roles were last used, when and for what. It is remembered here and written now and then: no request waits for it. */
export class LastUses {
  readonly #identities: Identities
  #seen = new Map<string, SeenUse>()

  constructor(identities: Identities) {
    this.#identities = identities
  }

  note(caller: Caller, service: string, region: string, atMs: number): void {
    const name = caller.kind === 'role' ? caller.role.id : caller.accessKeyId
    const seen = this.#seen.get(name)
    if (seen !== undefined) {
      seen.atMs = atMs
      seen.service = service
      seen.region = region
    } else if (this.#seen.size < mostKept) {
      this.#seen.set(name, { accountId: caller.accountId, atMs, service, region })
    }
  }

  async flush(): Promise<void> {
    const seen = this.#seen
    this.#seen = new Map()
    for (const [name, { accountId, atMs, service, region }] of seen) {
      const use: KeyUseRecord = { kind: 'use', name, atMs, service, region }
      await this.#identities.noteUse(accountId, use)
    }
  }
}

interface SeenUse {
  readonly accountId: string
  atMs: number
  service: string
  region: string
}
