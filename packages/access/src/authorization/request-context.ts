import type { TableDefinition } from '@hashrange/engine'
import type { ContextValue, ContextValues } from '../policies/context-values.ts'
import { principalArn, type Principal } from '../policies/principal.ts'
import type { Need } from './need.ts'
import { tagValue } from './tag-keys.ts'

/** What is known of a request besides what it asks for. */
export interface RequestFacts {
  readonly principal: Principal
  readonly region: string
  readonly sourceIp?: string | undefined
  readonly isSecure: boolean
  readonly userAgent?: string | undefined
  readonly referer?: string | undefined
  readonly nowMs: number
  /** When temporary credentials were issued. */
  readonly tokenIssuedAtMs?: number | undefined
  /** When somebody proved with a second factor who they are; only temporary credentials know. */
  readonly mfaAtMs?: number | undefined
  /** What was given when the session began. */
  readonly sourceIdentity?: string | undefined
}

/** The values of condition keys for one need of a request: AWS's global keys, and those of the service. */
export class RequestContext implements ContextValues {
  readonly #facts: RequestFacts
  readonly #need: Need
  readonly #definition: TableDefinition | undefined

  constructor(facts: RequestFacts, need: Need, definition: TableDefinition | undefined) {
    this.#facts = facts
    this.#need = need
    this.#definition = definition
  }

  get(key: string): ContextValue | undefined {
    const own = this.#need.keys?.get(key)
    if (own !== undefined) return own
    return key.startsWith('aws:') || key.startsWith('iam:') ? this.#global(key) : undefined
  }

  #global(key: string): ContextValue | undefined {
    const facts = this.#facts
    const { principal } = facts
    switch (key) {
      case 'aws:currenttime':
        return new Date(facts.nowMs).toISOString()
      case 'aws:epochtime':
        return String(Math.floor(facts.nowMs / 1000))
      case 'aws:multifactorauthage':
        return facts.mfaAtMs === undefined ? undefined : String(Math.floor((facts.nowMs - facts.mfaAtMs) / 1000))
      case 'aws:multifactorauthpresent':
        return facts.tokenIssuedAtMs === undefined ? undefined : String(facts.mfaAtMs !== undefined)
      case 'aws:principalaccount':
        return principal.accountId
      case 'aws:principalarn':
        return principalArn(principal)
      case 'aws:principalisawsservice':
      case 'aws:viaawsservice':
        return 'false'
      case 'aws:principaltype':
        return principalTypes[principal.kind]
      case 'aws:referer':
        return facts.referer
      case 'aws:requestedregion':
        return facts.region
      case 'aws:resourceaccount':
        return this.#need.table?.accountId ?? principal.accountId
      case 'aws:securetransport':
        return String(facts.isSecure)
      case 'aws:sourceidentity':
        return facts.sourceIdentity
      case 'aws:sourceip':
        return facts.sourceIp
      case 'aws:tokenissuetime':
        return facts.tokenIssuedAtMs === undefined ? undefined : new Date(facts.tokenIssuedAtMs).toISOString()
      case 'aws:useragent':
        return facts.userAgent
      case 'aws:userid':
        return principal.userId
      case 'aws:username':
        return principal.userName
      default:
        return this.#tag(key)
    }
  }

  #tag(key: string): string | undefined {
    if (key.startsWith(principalTag)) return tagValue(this.#facts.principal.tags, key, principalTag)
    for (const prefix of resourceTags) {
      if (!key.startsWith(prefix)) continue
      // A stream, a backup or an export has no tags of its own, nor the table's.
      const { resource, table, resourceTags: given } = this.#need
      const isTable = table !== undefined && (resource === table.arn || resource.startsWith(`${table.arn}/index/`))
      const tags = given ?? (isTable ? this.#definition?.tags : undefined)
      return tags && tagValue(tags, key, prefix)
    }
    return undefined
  }
}

const principalTag = 'aws:principaltag/'
const resourceTags = ['aws:resourcetag/', 'iam:resourcetag/']

const principalTypes: Readonly<Record<Principal['kind'], string>> = {
  root: 'Account',
  user: 'User',
  'role-session': 'AssumedRole',
}
