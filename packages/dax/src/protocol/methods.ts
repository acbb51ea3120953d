/** The methods of DAX's protocol that clients call, by the number that they are called by, and how many arguments each has. */
export type MethodName =
  | 'authorizeConnection'
  | 'endpoints'
  | 'defineKeySchema'
  | 'defineAttributeList'
  | 'defineAttributeListId'
  | 'GetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'Query'
  | 'Scan'
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'TransactGetItems'
  | 'TransactWriteItems'

export interface Method {
  readonly name: MethodName
  readonly argumentCount: number
}

export const methods: ReadonlyMap<number, Method> = new Map([
  [1489122155, { name: 'authorizeConnection', argumentCount: 5 }],
  [455855874, { name: 'endpoints', argumentCount: 0 }],
  [-742646399, { name: 'defineKeySchema', argumentCount: 1 }],
  [670678385, { name: 'defineAttributeList', argumentCount: 1 }],
  [-1230579644, { name: 'defineAttributeListId', argumentCount: 1 }],
  [263244906, { name: 'GetItem', argumentCount: 3 }],
  [-2106490455, { name: 'PutItem', argumentCount: 4 }],
  [1425579023, { name: 'UpdateItem', argumentCount: 3 }],
  [1013539361, { name: 'DeleteItem', argumentCount: 3 }],
  [-931250863, { name: 'Query', argumentCount: 3 }],
  [-1875390620, { name: 'Scan', argumentCount: 2 }],
  [-697851100, { name: 'BatchGetItem', argumentCount: 2 }],
  [116217951, { name: 'BatchWriteItem', argumentCount: 2 }],
  [1866287579, { name: 'TransactGetItems', argumentCount: 4 }],
  [-1160037738, { name: 'TransactWriteItems', argumentCount: 9 }],
])
