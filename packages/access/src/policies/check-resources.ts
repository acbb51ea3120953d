import { MalformedPolicy } from './malformed-policy.ts'
import type { Statement } from './policy-document.ts'

/** The first resource that is no ARN, as an error to be thrown when its turn comes: IAM speaks of other things first.
 *  What fails its "legacy parsing" is thrown at once. */
export function checkResources(statements: readonly Statement[]): MalformedPolicy | undefined {
  let first: MalformedPolicy | undefined
  for (const { resource } of statements) {
    const patterns = (resource?.patterns ?? []).toSorted((a, b) => (a < b ? 1 : -1))
    for (const pattern of patterns) {
      const problem = problemOf(pattern)
      if (problem !== undefined) first = new MalformedPolicy(problem)
    }
    if (first === undefined && !patterns.every(survivesLegacyParsing)) {
      throw new MalformedPolicy('The policy failed legacy parsing')
    }
  }
  return first
}

const partitions = new Set([
  '*',
  'aws',
  'aws-cn',
  'aws-us-gov',
  'aws-iso',
  'aws-iso-b',
  'aws-iso-e',
  'aws-iso-f',
  'aws-eusc',
])

const iamPaths = [
  'user/',
  'federated-user/',
  'role/',
  'group/',
  'instance-profile/',
  'mfa/',
  'server-certificate/',
  'policy/',
  'sms-mfa/',
  'saml-provider/',
  'oidc-provider/',
  'report/',
  'access-report/',
]

function problemOf(pattern: string): string | undefined {
  if (pattern === '*') return undefined
  const parts = pattern.split(':')
  const [, partition, service, region] = parts
  if (partition === undefined) return `Resource ${pattern} must be in ARN format or "*".`
  if (!partitions.has(partition)) return invalidPartition(parts)
  if (service === undefined) return 'Resource vendor must be fully qualified and cannot contain regexes.'
  if (service === 'iam') {
    if (region !== '') return `IAM resource ${pattern} cannot contain region information.`
    const path = parts.slice(5).join(':')
    if (!path.startsWith('*') && !iamPaths.some((start) => path.startsWith(start))) {
      return `IAM resource path must either be "*" or start with ${iamPaths.join(', ')}.`
    }
  }
  return undefined
}

function invalidPartition([, partition = '', service, region, account, ...path]: readonly string[]): string {
  const isBare = service === undefined || (service === '' && region === undefined)
  const whole = [
    partition,
    isBare ? '*' : service,
    region ?? '*',
    account ?? '*',
    path.length > 0 ? path.join(':') : '*',
  ]
  return `Partition "${partition}" is not valid for resource "arn:${whole.join(':')}".`
}

/** An ARN with fewer parts than usual is completed, but not one that also has an empty part. */
function survivesLegacyParsing(pattern: string): boolean {
  if (pattern === '*') return true
  const parts = pattern.split(':')
  return (parts.length >= 6 || !pattern.includes('::')) && parts[2] !== ''
}
