import type { PolicyName } from '../authorization/explain-decision.ts'
import type { CompiledPolicy } from '../policies/compile-policy.ts'
import type { ApplicablePolicies } from '../policies/evaluate.ts'
import { PolicyCache } from '../policies/policy-cache.ts'

const cache = new PolicyCache('identity', 200)

/** Policies of a principal that remember what they are called. Documents are those of identities, checked before. */
export class NamedPolicies {
  readonly #names = new Map<CompiledPolicy, PolicyName>()
  readonly #identity: CompiledPolicy[] = []
  #boundary: CompiledPolicy | undefined
  #session: readonly CompiledPolicy[] | undefined

  addIdentity(document: string, name: PolicyName): void {
    this.#identity.push(this.#named(document, name))
  }

  setBoundary(document: string, name: PolicyName): void {
    this.#boundary = this.#named(document, name)
  }

  setSession(documents: readonly string[]): void {
    this.#session = documents.map((document, index) =>
      this.#named(document, { name: documents.length === 1 ? 'session policy' : `session policy ${index + 1}` }),
    )
  }

  get applicable(): Omit<ApplicablePolicies, 'resource'> {
    return {
      identity: this.#identity,
      ...(this.#boundary !== undefined && { boundary: this.#boundary }),
      ...(this.#session !== undefined && { session: this.#session }),
    }
  }

  readonly nameOf = (policy: CompiledPolicy): PolicyName | undefined => this.#names.get(policy)

  #named(document: string, name: PolicyName): CompiledPolicy {
    const policy = cache.get(document)
    if (!this.#names.has(policy)) this.#names.set(policy, name)
    return policy
  }
}
