/** What a question's tables are called where it is asked. */
export interface Names {
  /** Partition key `id`, a string; a global index `byYear` on the number `year`. */
  readonly songs: string
  readonly songsArn: string
  /** Partition key `id` and sort key `at`, a number; a local index on the string `kind`. */
  readonly events: string
}

export interface Question {
  readonly operation: string
  readonly input: (names: Names) => object
}

const id = { S: 'asked' }
const values = (value: object): object => ({ ':v': value })

const song = (more: object): Question['input'] => {
  return ({ songs }) => ({ TableName: songs, Key: { id }, ...more })
}
const put = (more: object, attributes: object = {}): Question['input'] => {
  return ({ songs }) => ({ TableName: songs, Item: { id, ...attributes }, ...more })
}
const statement = (text: (names: Names) => string, more: object = {}): Question['input'] => {
  return (names) => ({ Statement: text(names), ...more })
}

/** Requests whose answers are worth knowing, in the order in which they are asked: some change what later ones find. */
export const questions: Readonly<Record<string, Question>> = {
  'put, an unknown ReturnValues': { operation: 'PutItem', input: put({ ReturnValues: 'SOME' }) },
  'put, ALL_NEW': { operation: 'PutItem', input: put({ ReturnValues: 'ALL_NEW' }) },
  'put, three unknown enumerations': {
    operation: 'PutItem',
    input: put({ ReturnValues: 'X', ReturnConsumedCapacity: 'X', ReturnItemCollectionMetrics: 'X' }),
  },
  'put, an unknown ConditionalOperator': {
    operation: 'PutItem',
    input: put({ Expected: { a: { Exists: false }, b: { Exists: false } }, ConditionalOperator: 'XOR' }),
  },
  'put, no table name': { operation: 'PutItem', input: () => ({ TableName: '', Item: { id } }) },
  'put, a table name of two letters': { operation: 'PutItem', input: () => ({ TableName: 'ab', Item: { id } }) },
  'put, a table name that is too long': {
    operation: 'PutItem',
    input: () => ({ TableName: 'a'.repeat(1_100), Item: { id } }),
  },
  'put, a set with a member twice': { operation: 'PutItem', input: put({}, { tags: { SS: ['b', 'a', 'b'] } }) },
  'put, an empty number': { operation: 'PutItem', input: put({}, { year: { N: '' } }) },
  'put, a value without a type': { operation: 'PutItem', input: put({}, { a: {} }) },
  'put, a value with two types': { operation: 'PutItem', input: put({}, { a: { S: 'x', N: '1' } }) },
  'put, an attribute without a name': { operation: 'PutItem', input: put({}, { '': { S: 'x' } }) },
  'put, an item that is too large': { operation: 'PutItem', input: put({}, { a: { S: 'x'.repeat(410_000) } }) },
  'put, a key of another type': {
    operation: 'PutItem',
    input: ({ songs }) => ({ TableName: songs, Item: { id: { N: '1' } } }),
  },
  'put, an index key of another type': { operation: 'PutItem', input: put({}, { year: { S: '1999' } }) },
  'put, a value without a type in a condition': {
    operation: 'PutItem',
    input: put({ ConditionExpression: 'a = :v', ExpressionAttributeValues: values({}) }),
  },
  'put, values without an expression': {
    operation: 'PutItem',
    input: put({ ExpressionAttributeValues: values({ S: 'x' }) }),
  },
  'put, an alias for no name': {
    operation: 'PutItem',
    input: put({ ConditionExpression: '#n = #n', ExpressionAttributeNames: { '#n': '' } }),
  },
  'update, two unknown enumerations': {
    operation: 'UpdateItem',
    input: song({ ReturnValues: 'X', ReturnConsumedCapacity: 'X' }),
  },
  'update, a syntax error': { operation: 'UpdateItem', input: song({ UpdateExpression: 'SET a = = b' }) },
  'update, values without an expression': {
    operation: 'UpdateItem',
    input: song({ ExpressionAttributeValues: values({ S: 'x' }) }),
  },
  'update, a key attribute': { operation: 'UpdateItem', input: song({ UpdateExpression: 'REMOVE id' }) },
  'update, only removing, of no item': {
    operation: 'UpdateItem',
    input: song({ UpdateExpression: 'REMOVE a', ReturnValues: 'ALL_NEW', ReturnConsumedCapacity: 'INDEXES' }),
  },
  'update, of no item, UPDATED_NEW': {
    operation: 'UpdateItem',
    input: song({
      UpdateExpression: 'SET plays = :v',
      ExpressionAttributeValues: values({ N: '1' }),
      ReturnValues: 'UPDATED_NEW',
    }),
  },
  'delete, UPDATED_NEW': { operation: 'DeleteItem', input: song({ ReturnValues: 'UPDATED_NEW' }) },
  'delete, an empty condition': { operation: 'DeleteItem', input: song({ ConditionExpression: '' }) },
  'get, a table by its ARN': {
    operation: 'GetItem',
    input: ({ songsArn }) => ({ TableName: songsArn, Key: { id }, ReturnConsumedCapacity: 'TOTAL' }),
  },
  'get, a missing item': {
    operation: 'GetItem',
    input: song({ Key: { id: { S: 'none' } }, ReturnConsumedCapacity: 'TOTAL' }),
  },
  'transaction, a table by its ARN and by its name': {
    operation: 'TransactGetItems',
    input: ({ songs, songsArn }) => ({
      TransactItems: [
        { Get: { TableName: songsArn, Key: { id } } },
        { Get: { TableName: songs, Key: { id: { S: 'none' } } } },
      ],
      ReturnConsumedCapacity: 'TOTAL',
    }),
  },
  'transaction, a set with a member twice': {
    operation: 'TransactWriteItems',
    input: ({ songs }) => ({
      TransactItems: [{ Put: { TableName: songs, Item: { id, tags: { SS: ['b', 'a', 'b'] } } } }],
    }),
  },
  'transaction, empty': { operation: 'TransactWriteItems', input: () => ({ TransactItems: [] }) },
  'batch get, empty': { operation: 'BatchGetItem', input: () => ({ RequestItems: {} }) },
  'batch write, empty': { operation: 'BatchWriteItem', input: () => ({ RequestItems: {} }) },
  'query, a Select without attributes': {
    operation: 'Query',
    input: ({ songs }) => ({
      TableName: songs,
      KeyConditionExpression: 'id = :v',
      ExpressionAttributeValues: values(id),
      Select: 'SPECIFIC_ATTRIBUTES',
    }),
  },
  'scan, a Select without attributes': {
    operation: 'Scan',
    input: ({ songs }) => ({ TableName: songs, Select: 'SPECIFIC_ATTRIBUTES' }),
  },
  'create, an attribute definition that no key uses': {
    operation: 'CreateTable',
    input: ({ songs }) => ({
      TableName: `${songs}-more`,
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: ['id', 'title'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      BillingMode: 'PAY_PER_REQUEST',
    }),
  },
  'collection metrics of a table with a local index': {
    operation: 'PutItem',
    input: ({ events }) => ({
      TableName: events,
      Item: { id, at: { N: '1' }, kind: { S: 'x' } },
      ReturnItemCollectionMetrics: 'SIZE',
    }),
  },
  'statement, no parameters': {
    operation: 'ExecuteStatement',
    input: statement(({ songs }) => `SELECT * FROM "${songs}" WHERE id = 'none'`, { Parameters: [] }),
  },
  'statement, an INSERT whose key is of another type': {
    operation: 'ExecuteStatement',
    input: statement(({ songs }) => `INSERT INTO "${songs}" VALUE {'id': 1}`),
  },
  'statement, an INSERT without its sort key': {
    operation: 'ExecuteStatement',
    input: statement(({ events }) => `INSERT INTO "${events}" VALUE {'id': 'a'}`),
  },
  'statement, an INSERT into an index': {
    operation: 'ExecuteStatement',
    input: statement(({ songs }) => `INSERT INTO "${songs}"."byYear" VALUE {'id': 'a'}`),
  },
  'statement, a SELECT whose key is of another type': {
    operation: 'ExecuteStatement',
    input: statement(({ songs }) => `SELECT * FROM "${songs}" WHERE id = 1`),
  },
  'statements, reads and writes in one batch': {
    operation: 'BatchExecuteStatement',
    input: ({ songs }) => ({
      Statements: [
        { Statement: `SELECT * FROM "${songs}" WHERE id = 'a'` },
        { Statement: `DELETE FROM "${songs}" WHERE id = 'b'` },
      ],
    }),
  },
  'statements, one item twice in a batch': {
    operation: 'BatchExecuteStatement',
    input: ({ songs }) => ({
      Statements: [
        { Statement: `SELECT * FROM "${songs}" WHERE id = 'a'` },
        { Statement: `SELECT id FROM "${songs}" WHERE id = 'a'` },
      ],
    }),
  },
  'statements, a transaction with a key of another type': {
    operation: 'ExecuteTransaction',
    input: ({ songs }) => ({ TransactStatements: [{ Statement: `INSERT INTO "${songs}" VALUE {'id': 1}` }] }),
  },
}
