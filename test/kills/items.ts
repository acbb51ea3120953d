import type { Write } from './ledger.ts'

export interface Item {
  readonly pk: { readonly S: string }
  readonly sk: { readonly N: string }
  readonly v: { readonly N: string }
  readonly text: { readonly S: string }
  /** Not every version is in the global index. */
  readonly g?: { readonly S: string }
}

export const itemTable = 'items'
export const counterTable = 'counters'

export function keyOf({ pk, sk }: Pick<Item, 'pk' | 'sk'>): string {
  return `${pk.S}/${sk.N}`
}

/** The whole of an item follows from its key and version, so that bytes which are not its own are noticed. */
export function itemOf({ key, version }: Pick<Write, 'key' | 'version'>): Item {
  const [pk = '', sk = ''] = key.split('/')
  // Most are small. Some are larger than a page, so that a batch to recover is not a trifle.
  const lengths = [20, 100, 300, 40, 2_000, 150, 6_000, 60]
  const length = lengths[(version + Number(sk)) % lengths.length] ?? 0
  const word = `${key}:${version} `
  return {
    pk: { S: pk },
    sk: { N: sk },
    v: { N: String(version) },
    text: { S: word.repeat(Math.ceil(length / word.length)) },
    ...(version % 3 !== 0 && { g: { S: `g${version % 2}` } }),
  }
}

const string = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' })
const number = (AttributeName: string) => ({ AttributeName, AttributeType: 'N' })
const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' })
const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' })

/** A table with both kinds of index and a stream, and one that counts transactions. */
export const tables = [
  {
    TableName: itemTable,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [string('pk'), number('sk'), string('g'), number('v')],
    KeySchema: [hash('pk'), range('sk')],
    GlobalSecondaryIndexes: [
      { IndexName: 'global', KeySchema: [hash('g'), range('v')], Projection: { ProjectionType: 'ALL' } },
    ],
    LocalSecondaryIndexes: [
      { IndexName: 'local', KeySchema: [hash('pk'), range('v')], Projection: { ProjectionType: 'ALL' } },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  },
  {
    TableName: counterTable,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [string('pk')],
    KeySchema: [hash('pk')],
  },
]

/** An index that comes and goes, so that servers are killed while it is filled or removed. */
export const comingIndex = 'coming'

export function indexUpdate(isThere: boolean): object {
  const change = isThere
    ? { Delete: { IndexName: comingIndex } }
    : {
        Create: {
          IndexName: comingIndex,
          KeySchema: [hash('v'), range('pk')],
          Projection: { ProjectionType: 'ALL' },
        },
      }
  return {
    TableName: itemTable,
    AttributeDefinitions: [number('v'), string('pk')],
    GlobalSecondaryIndexUpdates: [change],
  }
}
