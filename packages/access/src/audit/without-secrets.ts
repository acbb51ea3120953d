import { isRecord } from './json-record.ts'
import { lowerFirst } from './request-parameters.ts'

/** What is told of the input or the answer of a management call: all of it, in CloudTrail's casing, without secrets. */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (depth > deepest) return null
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Map) return withoutSecrets(Object.fromEntries(value), depth)
  if (value instanceof Uint8Array) return null
  if (Array.isArray(value)) return value.map((part) => withoutSecrets(part, depth + 1))
  if (!isRecord(value)) return value
  const parts = Object.entries(value).map(([name, part]) => [
    lowerFirst(name),
    secretNames.test(name) ? hidden : withoutSecrets(part, depth + 1),
  ])
  return Object.fromEntries(parts)
}

export const hidden = 'HIDDEN_DUE_TO_SECURITY_REASONS'
const deepest = 32

/** What SDKs, IAM and STS call what nobody else may know. */
const secretNames =
  /secret|password|privatekey|^sessiontoken$|^securitytoken$|^tokencode$|webidentitytoken|samlassertion/i
