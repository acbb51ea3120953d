import type { Scope } from '@hashrange/engine'

/** A table that a request names, by its name or by its ARN. */
export interface TableReference extends Scope {
  readonly tableName: string
  readonly arn: string
}

/** By account, region and what was sent: a lookup on every request, which therefore makes no string. */
let known = new Map<string, Map<string, Map<string, TableReference>>>()
let knownCount = 0

export function tableReference(scope: Scope, nameOrArn: string): TableReference {
  const { accountId, region } = scope
  const found = known.get(accountId)?.get(region)?.get(nameOrArn)
  if (found !== undefined) return found
  const reference = readReference(scope, nameOrArn)
  if (++knownCount > 10_000) {
    known = new Map()
    knownCount = 1
  }
  const regions = known.get(accountId) ?? new Map<string, Map<string, TableReference>>()
  const names = regions.get(region) ?? new Map<string, TableReference>()
  known.set(accountId, regions.set(region, names.set(nameOrArn, reference)))
  return reference
}

/** What is no proper ARN is taken for a name, which no table has: the operation refuses it in its own words. */
function readReference(scope: Scope, nameOrArn: string): TableReference {
  if (nameOrArn.startsWith('arn:')) {
    const [, , service, region = '', accountId = '', resource = '', ...rest] = nameOrArn.split(':')
    if (service === 'dynamodb' && resource.startsWith('table/') && rest.length === 0) {
      return { accountId, region, tableName: resource.slice('table/'.length), arn: nameOrArn }
    }
  }
  const { accountId, region } = scope
  return { accountId, region, tableName: nameOrArn, arn: `${dynamodbArn(scope)}table/${nameOrArn}` }
}

/** The table that an index, a stream, a backup, an export or an import belongs to. */
export function tableOfArn(arn: string): TableReference | undefined {
  const [prefix, , service, region = '', accountId = '', resource = ''] = arn.split(':')
  const [kind, tableName = ''] = resource.split('/')
  if (prefix !== 'arn' || service !== 'dynamodb' || kind !== 'table') return undefined
  return { accountId, region, tableName, arn: `${dynamodbArn({ accountId, region })}table/${tableName}` }
}

/** What the ARNs of DynamoDB's resources begin with. */
export function dynamodbArn({ accountId, region }: Scope): string {
  return `arn:aws:dynamodb:${region}:${accountId}:`
}
