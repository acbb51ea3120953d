import { ExecuteStatementCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import type { Finding, FindingCode } from '../check/finding.ts'
import type { Random } from '../check/random.ts'
import { RecordingClient } from '../check/run/recording-client.ts'
import { withoutValidators } from '../client/described-model.ts'
import type { PatternDescription, RoleDescription } from '../description.ts'
import type { AnyModel } from '../model/model.ts'
import { leastOf, type ClosedTrial } from './closed-trial.ts'
import { needsOfPattern } from './pattern-needs.ts'
import { leadingKey } from './role-policy.ts'
import { subjectOfTenant, type SubjectSource, type Tenant } from './tenant-subjects.ts'

export interface RoleTrialParts {
  readonly trial: ClosedTrial
  readonly source: SubjectSource
  readonly random: Random
}

/** What was found out about one role. */
export interface RoleReport {
  readonly role: string
  readonly tenant?: string | undefined
  /** Calls that were allowed and that were denied, as they must be. */
  readonly allowed: number
  readonly denied: number
  readonly findings: readonly Finding[]
}

interface Sent {
  readonly operation: string
  readonly input: unknown
}

type Outcome = { readonly denial: string } | { readonly denial?: undefined; readonly sent: Sent | undefined }

/** One role, put to the proof. */
export class RoleTrial {
  readonly #model: AnyModel
  readonly #parts: RoleTrialParts
  readonly #role: RoleDescription
  readonly #own: Tenant | undefined
  readonly #others: readonly Tenant[]
  readonly #client: RecordingClient
  readonly #findings: Finding[] = []
  #last: Sent | undefined
  #allowed = 0
  #denied = 0

  constructor(model: AnyModel, parts: RoleTrialParts, role: RoleDescription, tenants: readonly Tenant[]) {
    const [own, ...others] = tenants
    this.#model = model
    this.#parts = parts
    this.#role = role
    this.#own = own
    this.#others = others
    const client = parts.trial.clientOf(role.name)
    const send = async (command: { readonly constructor: { readonly name: string }; readonly input: unknown }) => {
      this.#last = { operation: command.constructor.name.replace(/Command$/, ''), input: command.input }
      return client.send(command as never)
    }
    this.#client = new RecordingClient(withoutValidators(model), { send } as never, parts.random)
  }

  async run(): Promise<RoleReport> {
    for (const pattern of this.#patterns(this.#role.patterns)) {
      await this.#mustSucceed(pattern)
      for (const other of this.#others) await this.#mustNotReach(pattern, other)
    }
    for (const pattern of this.#patternsOfOthers()) await this.#mustBeDenied(pattern)
    await this.#mustNotScan()
    const { name: role, tenant } = this.#role
    return { role, tenant, allowed: this.#allowed, denied: this.#denied, findings: this.#findings }
  }

  async #mustSucceed(pattern: PatternDescription): Promise<void> {
    const { denial } = await this.#call(pattern, this.#own)
    if (denial === undefined) {
      this.#allowed++
      return
    }
    this.#tell('role-denied', `${this.#role.name} may not use its pattern ${pattern.name}. ${denial}.`, [
      'Allow it: the policy that is generated from the model has a statement for it.',
    ])
  }

  async #mustNotReach(pattern: PatternDescription, tenant: Tenant): Promise<void> {
    const outcome = await this.#call(pattern, tenant)
    if (this.#isDenied(outcome)) return
    const keys = needsOfPattern(this.#parts.source.model, pattern).flatMap(({ partition }) =>
      partition === undefined ? [] : leadingKey(partition, this.#role.tenant),
    )
    this.#tell(
      'tenant-leak',
      `With ${pattern.name}, ${this.#role.name} of one ${tenant.attribute} reaches the items of another (${tenantText(tenant)}). ${this.#why(outcome)}`,
      [
        `Limit the statement with the condition ForAllValues:StringLike on dynamodb:LeadingKeys: ${[...new Set(keys)].join(', ')}.`,
      ],
    )
  }

  /** A policy cannot see sort keys: what reads the same partition by the same action is the same to it. */
  async #mustBeDenied(pattern: PatternDescription): Promise<void> {
    const outcome = await this.#call(pattern, this.#own)
    if (this.#isDenied(outcome)) return
    if (this.#isInevitable(outcome)) {
      this.#tell(
        'roles-not-separated',
        `${this.#role.name} may also use ${pattern.name}, because its own patterns need the same action on the same keys.`,
        ['If that matters, give the items of the other pattern another partition key, or an index of their own.'],
        'note',
      )
      return
    }
    this.#tell(
      'role-too-wide',
      `${this.#role.name} may use ${pattern.name}, which is not one of its patterns. ${this.#why(outcome)}`,
      ['Limit the actions and the resources of the statement to what the patterns of the role need.'],
    )
  }

  async #mustNotScan(): Promise<void> {
    const scanned = new Set(
      this.#patterns(this.#role.patterns)
        .filter(({ action }) => action === 'scan')
        .map(({ table, index }) => index ?? table),
    )
    for (const { name, table, index } of this.#parts.source.model.places()) {
      if (scanned.has(name)) continue
      const TableName = table.name
      const scan = { TableName, ...(index !== undefined && { IndexName: index.name }) }
      const from = index === undefined ? `"${TableName}"` : `"${TableName}"."${index.name}"`
      const statement = { Statement: `SELECT * FROM ${from}` }
      await this.#mustNotRead(name, { operation: 'Scan', input: scan }, new ScanCommand(scan))
      await this.#mustNotRead(
        name,
        { operation: 'ExecuteStatement', input: statement },
        new ExecuteStatementCommand(statement),
      )
    }
  }

  async #mustNotRead(place: string, sent: Sent, command: ScanCommand | ExecuteStatementCommand): Promise<void> {
    const client = this.#parts.trial.clientOf(this.#role.name)
    const outcome = await outcomeOf(() => client.send(command as ScanCommand), sent)
    if (this.#isDenied(outcome)) return
    this.#tell(
      this.#role.tenant === undefined ? 'role-too-wide' : 'tenant-leak',
      `${this.#role.name} can read all of ${place} with ${sent.operation}. ${this.#why(outcome)}`,
      [
        'A scan has no key, so that conditions on LeadingKeys do not limit it. Leave its actions out of the statement.',
      ],
    )
  }

  async #call(pattern: PatternDescription, tenant: Tenant | undefined): Promise<Outcome> {
    const subject = await subjectOfTenant(this.#parts.source, pattern, tenant)
    this.#last = undefined
    const outcome = await outcomeOf(() => this.#client.call(pattern, subject), undefined)
    return outcome.denial === undefined ? { sent: this.#last } : outcome
  }

  #isDenied(outcome: Outcome): boolean {
    if (outcome.denial === undefined) return false
    this.#denied++
    return true
  }

  /** Whether the least that the role needs allows it too. */
  #isInevitable(outcome: Outcome): boolean {
    const sent = outcome.denial === undefined ? outcome.sent : undefined
    const { trial } = this.#parts
    return sent !== undefined && trial.allowedBy(leastOf(this.#role), sent.operation, sent.input) !== undefined
  }

  #why(outcome: Outcome): string {
    const sent = outcome.denial === undefined ? outcome.sent : undefined
    const statement = sent && this.#parts.trial.allowedBy(this.#role.name, sent.operation, sent.input)
    return statement === undefined ? '' : `${statement} of its policy allows it.`
  }

  #tell(
    code: FindingCode,
    reason: string,
    remedies: readonly string[],
    severity: Finding['severity'] = 'error',
  ): void {
    const where = { kind: 'role', name: this.#role.name } as const
    this.#findings.push({ code, severity, where, reason: reason.trim(), remedy: remedies.join(' ') })
  }

  #patterns(names: readonly string[]): readonly PatternDescription[] {
    return this.#model.description.patterns.filter(({ name }) => names.includes(name))
  }

  #patternsOfOthers(): readonly PatternDescription[] {
    const { roles = [] } = this.#model.description
    const names = roles.flatMap(({ patterns }) => patterns).filter((name) => !this.#role.patterns.includes(name))
    return this.#patterns(names)
  }
}

/** Whatever else goes wrong, such as a condition that does not hold, went past the policy. */
async function outcomeOf(call: () => Promise<unknown>, sent: Sent | undefined): Promise<Outcome> {
  try {
    await call()
  } catch (error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
      if (cause.name === 'AccessDeniedException') return { denial: cause.message.replace(/\.$/, '') }
    }
  }
  return { sent }
}

function tenantText({ value: { S, N } }: Tenant): string {
  return S ?? N ?? ''
}
