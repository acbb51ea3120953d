import type { Scope } from '../scope.ts'

/** The prefix of the ARNs of everything that belongs to a table. */
export function tableArn({ accountId, region, tableName }: Scope & { readonly tableName: string }): string {
  return `arn:aws:dynamodb:${region}:${accountId}:table/${tableName}`
}
