import { compilePolicy, type CompiledPolicy } from './compile-policy.ts'
import { parsePolicy, type PolicyKind } from './parse-policy.ts'

/** A policy takes twenty times as much memory as its text. Those that are simulated can be long. */
const usualCharacters = 2_500

/** Policies by their text: each is parsed and made ready once, as long as it is in use. Throws MalformedPolicy. */
export class PolicyCache {
  #recent = new Map<string, CompiledPolicy>()
  #older = new Map<string, CompiledPolicy>()
  readonly #kind: PolicyKind
  readonly #maxPolicies: number
  #recentCharacters = 0

  constructor(kind: PolicyKind, maxPolicies = 2000) {
    this.#kind = kind
    this.#maxPolicies = maxPolicies
  }

  get(text: string): CompiledPolicy {
    const known = this.#recent.get(text)
    if (known !== undefined) return known
    const policy = this.#older.get(text) ?? compilePolicy(parsePolicy(text, this.#kind))
    this.#recentCharacters += text.length
    const isFull = this.#recentCharacters > this.#maxPolicies * usualCharacters
    if (this.#recent.size > 0 && (isFull || this.#recent.size >= this.#maxPolicies)) {
      this.#older = this.#recent
      this.#recent = new Map()
      this.#recentCharacters = text.length
    }
    this.#recent.set(text, policy)
    return policy
  }
}
