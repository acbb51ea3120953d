import { isRecord } from './json-record.ts'
import { lowerFirst } from './request-parameters.ts'

/** What is recorded of the input or the answer of a management call: all of it, in CloudTrail's casing, without secrets. What has more parts than any
 *  sensible call is left out: a request must not be able to make this take long. */
export function withoutSecrets(value: unknown): unknown {
  const copy = new Copy()
  const told = copy.of(value, 0)
  return copy.isTooLarge ? { omitted: true, reason: 'input too large' } : told
}

export const hidden = 'HIDDEN_DUE_TO_SECURITY_REASONS'
const deepest = 32
const mostParts = 20_000

class Copy {
  isTooLarge = false
  #parts = 0

  of(value: unknown, depth: number): unknown {
    if (++this.#parts > mostParts) this.isTooLarge = true
    if (this.isTooLarge || depth > deepest) return null
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
    if (value instanceof Map) return this.of(Object.fromEntries(value), depth)
    if (value instanceof Uint8Array) return null
    if (typeof value === 'bigint') return String(value)
    if (Array.isArray(value)) return this.#list(value, depth)
    return isRecord(value) ? this.#record(value, depth) : value
  }

  #list(list: readonly unknown[], depth: number): unknown {
    const parts: unknown[] = []
    for (const part of list) {
      if (this.isTooLarge) break
      parts.push(this.of(part, depth + 1))
    }
    return parts
  }

  #record(record: Readonly<Record<string, unknown>>, depth: number): unknown {
    const parts: [string, unknown][] = []
    for (const [name, part] of Object.entries(record)) {
      if (this.isTooLarge) break
      parts.push([lowerFirst(name), secretNames.test(name) ? hidden : this.of(part, depth + 1)])
    }
    return Object.fromEntries(parts)
  }
}

/** What SDKs, IAM and STS call what nobody else may know; and of Lambda, the code of functions, their variables and what
 *  they are called with. */
const secretNames =
  /secret|password|privatekey|^sessiontoken$|^securitytoken$|^tokencode$|webidentitytoken|samlassertion|^zipfile$|^variables$|^payload$/i
