import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'

/** Users in groups, many to many, as an adjacency list: each membership is stored from both ends. */
export const membershipsTable = {
  TableName: 'Memberships',
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ],
} satisfies CreateTableCommandInput

export interface Membership {
  readonly user: string
  readonly group: string
  readonly role: string
}

export const memberships: readonly [Membership, ...Membership[]] = [
  { user: 'user-1', group: 'group-a', role: 'admin' },
  { user: 'user-1', group: 'group-b', role: 'member' },
  { user: 'user-2', group: 'group-a', role: 'member' },
]

export interface Edge {
  readonly pk: string
  readonly sk: string
  readonly role: string
}

/** The membership as its user sees it, and as its group does. */
export function bothEdges({ user, group, role }: Membership): [Edge, Edge] {
  return [
    { pk: `USER#${user}`, sk: `GROUP#${group}`, role },
    { pk: `GROUP#${group}`, sk: `USER#${user}`, role },
  ]
}
