import type { Scope } from '../scope.ts'

/** What the ARNs of all that belongs to a table begin with. */
export function tableArn({ accountId, region, tableName }: Scope & { readonly tableName: string }): string {
  return `arn:aws:dynamodb:${region}:${accountId}:table/${tableName}`
}
