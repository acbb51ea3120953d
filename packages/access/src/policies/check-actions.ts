import { MalformedPolicy } from './malformed-policy.ts'
import type { Statement } from './policy-document.ts'

/** Whether the actions have the form `service:Action`. Services and actions that nobody knows are accepted, as IAM does. */
export function checkActions(statements: readonly Statement[], kind: 'identity' | 'resource' | 'trust'): void {
  for (const { action } of statements) for (const pattern of action.patterns) checkAction(pattern)
  if (kind !== 'trust') return
  for (const { action } of statements) {
    if (action.negated || !action.patterns.every((pattern) => isTrustAction(pattern))) {
      throw new MalformedPolicy('AssumeRole policy may only specify STS AssumeRole actions.')
    }
  }
}

function checkAction(pattern: string): void {
  const [vendor = '', action, ...rest] = pattern.split(':')
  if (action === undefined && vendor !== '*') {
    throw new MalformedPolicy('Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.')
  }
  if (rest.length > 0) throw new MalformedPolicy('Actions/Condition can contain only one colon.')
  if (vendor !== '*' && /[^a-zA-Z0-9\-.]/.test(vendor)) throw new MalformedPolicy(`Vendor ${vendor} is not valid`)
}

function isTrustAction(pattern: string): boolean {
  return /^(\*|sts:.*)$/i.test(pattern)
}
