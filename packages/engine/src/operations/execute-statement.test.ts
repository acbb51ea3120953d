import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createTableInput,
  openTestEngine,
  type Answer as TestAnswer,
  type TestEngine,
} from '../testing/test-engine.ts'

const malformed = "Statement wasn't well formed, can't be processed: "
const mandatoryKey = 'Where clause does not contain a mandatory equality on all key attributes'

interface Answer extends TestAnswer {
  readonly Items: NonNullable<TestAnswer['Items']>
  readonly NextToken?: string
}

let database: TestEngine

const run = <T>(operation: string, input: unknown): Promise<T> => database.run<T>(operation, input)

const execute = (Statement: string, more: object = {}): Promise<Answer> =>
  run('ExecuteStatement', { Statement, ...more })

const put = (TableName: string, Item: object): Promise<unknown> => run('PutItem', { TableName, Item })

const item = async (TableName: string, pk: string, sk?: string): Promise<unknown> => {
  const Key = { pk: { S: pk }, ...(sk !== undefined && { sk: { S: sk } }) }
  return (await run<TestAnswer>('GetItem', { TableName, Key })).Item
}

const refusal = async (Statement: string, more: object = {}): Promise<string> => {
  const { code, message } = await database.refusal('ExecuteStatement', { Statement, ...more })
  expect(code).toBe('ValidationException')
  return message
}

beforeAll(async () => {
  database = await openTestEngine()
  await run('CreateTable', createTableInput('things', { hash: 'pk:S' }))
  await run('CreateTable', createTableInput('numbers', { hash: 'pk:N' }))
  const songs = createTableInput('songs', {
    hash: 'pk:S',
    range: 'sk:S',
    global: {
      all: { hash: ['g:S'] },
      some: { hash: ['g:S'], projection: ['shown'] },
      several: { hash: ['g:S', 'h:S'] },
    },
    local: { local: { range: 'l:S', projection: 'KEYS_ONLY' } },
  })
  await run('CreateTable', songs)
  for (const pk of ['o', 'p'])
    for (const sk of ['1', '2', '3']) await put('songs', { pk: { S: pk }, sk: { S: sk } })
})

afterAll(() => database.close())

describe('INSERT', () => {
  test('puts an item with every kind of literal', async () => {
    const statement =
      "INSERT INTO things value {'pk':'kinds','n':1.50e1,'s':'it''s','b':true,'z':null,'l':[1,{'a':-.5}],'ss':<<'a','b'>>,'ns':<<1,2>>}"
    expect(await execute(statement)).toEqual({ Items: [] })
    expect(await item('things', 'kinds')).toEqual({
      pk: { S: 'kinds' },
      n: { N: '15' },
      s: { S: "it's" },
      b: { BOOL: true },
      z: { NULL: true },
      l: { L: [{ N: '1' }, { M: { a: { N: '-0.5' } } }] },
      ss: { SS: ['a', 'b'] },
      ns: { NS: ['1', '2'] },
    })
  })

  test('takes parameters, for attributes and for the whole item', async () => {
    const Parameters = [{ S: 'given' }, { L: [{ N: '1' }] }]
    await execute("INSERT INTO things VALUE {'pk': ?, 'a': ?}", { Parameters })
    expect(await item('things', 'given')).toEqual({ pk: { S: 'given' }, a: { L: [{ N: '1' }] } })
    await execute('INSERT INTO things VALUE ?', { Parameters: [{ M: { pk: { S: 'whole' } } }] })
    expect(await item('things', 'whole')).toEqual({ pk: { S: 'whole' } })
  })

  test('refuses an item that is there already', async () => {
    await execute("INSERT INTO things VALUE {'pk': 'twice', 'a': 1}")
    await expect(execute("INSERT INTO things VALUE {'pk': 'twice', 'a': 2}")).rejects.toMatchObject({
      code: 'DuplicateItemException',
      message: 'Duplicate primary key exists in table',
    })
    expect(await item('things', 'twice')).toMatchObject({ a: { N: '1' } })
  })

  test.each([
    ["INSERT INTO things VALUE {'pk':'x','s':<<>>}", 'Empty bags are not supported'],
    [
      "INSERT INTO things VALUE {'pk':'x','s':<<1,'a'>>}",
      'Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags',
    ],
    [
      "INSERT INTO things VALUE {'pk':'x','s':<<2, 2.0>>}",
      'One or more parameter values were invalid: Input collection [2, 2.0] contains duplicates! under root',
    ],
    [
      "INSERT INTO things VALUE {'pk':'x','m':{'x':1e126}}",
      'Number overflow. Attempting to store a number with magnitude larger than supported range under root.x',
    ],
    [
      "INSERT INTO things VALUE {'pk':'x','l':[1,?]}",
      'Unsupported data type: Parameter under key root[1] at 1:43:1',
    ],
    [
      "INSERT INTO things VALUE {'pk':'x','s':set_add(<<'a'>>,<<'b'>>)}",
      'Unsupported data type: set_add under key root at 1:40:7',
    ],
    ["INSERT INTO things t VALUE {'pk':'x'}", `${malformed}Unexpected token after expression`],
    ["INSERT INTO songs.all VALUE {'pk':'x'}", `${malformed}Invalid path dot component`],
    // As recorded in eu-west-2 in August 2026: the position of the table's name, with its quotes.
    [
      'INSERT INTO "songs"."all" VALUE {}',
      'FROM clause may only contain a single table name in data manipulation statements at 1:13:7',
    ],
    [
      'INSERT INTO\n songs."all" VALUE {}',
      'FROM clause may only contain a single table name in data manipulation statements at 2:2:5',
    ],
    ['INSERT INTO things (key) VALUES (1)', `${malformed}Unexpected keyword`],
    // As DynamoDB Local answers.
    ["INSERT INTO things VALUE {'a':'x'}", 'Key attribute should be present in the item: Key pk'],
    [
      "INSERT INTO things VALUE {'pk':1}",
      "Key attribute's data type should match its data type in table's schema: Key pk",
    ],
    [
      "INSERT INTO things VALUE {'pk':[1]}",
      "Key attribute's data type should match its data type in table's schema: Key pk",
    ],
    [
      "INSERT INTO things VALUE {'pk':''}",
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    ],
  ])('refuses %s', async (statement, message) => {
    expect(await refusal(statement, { Parameters: [{ S: 'v' }] })).toBe(message)
  })

  test('refuses literals that nest too deeply, and names where', async () => {
    const statement = `INSERT INTO things VALUE {'pk':'deep','d':${"{'a':".repeat(32)}1${'}'.repeat(32)}}`
    expect(await refusal(statement)).toBe(
      `Nesting Levels have exceeded supported limits under root${'.a'.repeat(32)}`,
    )
    expect(await refusal(`SELECT * FROM things WHERE ${'('.repeat(4_000)}`)).toContain(malformed)
    expect(await refusal(`SELECT * FROM things WHERE ${'NOT '.repeat(2_000)} a = 1`)).toContain(malformed)
  })
})

describe('UPDATE', () => {
  test('sets, removes, adds and appends', async () => {
    const start = {
      pk: { S: 'u' },
      n: { N: '1' },
      l: { L: [{ N: '1' }] },
      ss: { SS: ['a', 'b'] },
      gone: { S: 'x' },
    }
    await put('things', start)
    const statement =
      "UPDATE things SET n = n + 100 SET l = list_append([0], l), m = {'a': 1} SET ss = set_add(ss, <<'c'>>) REMOVE gone WHERE pk = 'u'"
    expect(await execute(statement)).toEqual({ Items: [] })
    expect(await item('things', 'u')).toEqual({
      pk: { S: 'u' },
      n: { N: '101' },
      l: { L: [{ N: '0' }, { N: '1' }] },
      ss: { SS: ['a', 'b', 'c'] },
      m: { M: { a: { N: '1' } } },
    })
    await execute('FROM things WHERE pk = ? SET ss = SET_DELETE(ss, ?), n=n- - 1', {
      Parameters: [{ S: 'u' }, { SS: ['a', 'b', 'c'] }],
    })
    expect(await item('things', 'u')).toMatchObject({ n: { N: '102' } })
    expect(await item('things', 'u')).not.toHaveProperty('ss')
  })

  test.each([
    ['ALL OLD', [{ pk: { S: 'r' }, a: { N: '1' }, b: { L: [{ N: '1' }, { N: '2' }] } }]],
    ['ALL NEW', [{ pk: { S: 'r' }, b: { L: [{ N: '1' }, { N: '9' }] }, c: { N: '3' } }]],
    ['MODIFIED OLD', [{ a: { N: '1' }, b: { L: [{ N: '2' }] } }]],
    ['MODIFIED NEW', [{ b: { L: [{ N: '9' }] }, c: { N: '3' } }]],
  ])('returns what is asked for: %s', async (what, items) => {
    await put('things', { pk: { S: 'r' }, a: { N: '1' }, b: { L: [{ N: '1' }, { N: '2' }] } })
    const statement = `UPDATE things SET b[1] = 9 SET c = 3 REMOVE a WHERE pk = 'r' RETURNING ${what} *`
    expect(await execute(statement)).toEqual({ Items: items })
  })

  test('refuses to make an item too deep', async () => {
    await put('things', { pk: { S: 'deep' }, m: { M: {} } })
    let value: object = { S: 'x' }
    for (let level = 0; level < 31; level++) value = { M: { a: value } }
    expect(await refusal("UPDATE things SET m.deep = ? WHERE pk = 'deep'", { Parameters: [value] })).toBe(
      'Nesting Levels have exceeded supported limits',
    )
  })

  test('returns no item where there is nothing to show', async () => {
    await put('things', { pk: { S: 'r' }, a: { N: '1' } })
    expect(await execute("UPDATE things REMOVE a WHERE pk = 'r' RETURNING MODIFIED NEW *")).toEqual({ Items: [] })
  })

  test('changes only what is there and meets the conditions', async () => {
    const failed = { code: 'ConditionalCheckFailedException', message: 'The conditional request failed' }
    await expect(execute("UPDATE things SET a = 1 WHERE pk = 'nobody'")).rejects.toMatchObject(failed)
    expect(await item('things', 'nobody')).toBeUndefined()
    await expect(
      execute("UPDATE things SET a = 1 WHERE pk = 'nobody' AND attribute_not_exists(pk)"),
    ).rejects.toMatchObject(failed)
    await put('songs', { pk: { S: 'u' }, sk: { S: '1' }, flag: { S: 'x' } })
    await execute("UPDATE songs SET a = 2 WHERE (pk = 'u' AND '1' = sk) AND flag = 'x' AND pk = 'u'")
    expect(await item('songs', 'u', '1')).toMatchObject({ a: { N: '2' } })
    await expect(
      execute("UPDATE songs SET a = 3 WHERE pk = 'u' AND sk = '1' AND flag <> 'x'", {
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    ).rejects.toMatchObject({ ...failed, members: { Item: expect.anything() } })
  })

  test.each([
    ["UPDATE songs SET a = 1 WHERE pk = 'u'", mandatoryKey],
    ['UPDATE songs SET a = 1', mandatoryKey],
    ["FROM songs SET a = 1 WHERE pk = 'u'", `${malformed}Unexpected token after expression`],
    ["UPDATE songs SET a = 1 WHERE pk IN ['u'] AND sk = '1'", mandatoryKey],
    [
      "UPDATE songs SET a = 1 WHERE pk = 'u' AND sk = '1' AND pk = 'v'",
      'Multiple conditions on same key pk. Only single item Update/Insert/Delete are supported',
    ],
    [
      "UPDATE songs SET a = 1 WHERE pk = 'u' AND sk = 1",
      "Key attribute's data type should match its data type in table's schema: Key sk",
    ],
    [
      "UPDATE songs SET sk = 'z' WHERE pk = 'u' AND sk = '1'",
      'One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key',
    ],
    [
      "UPDATE songs SET a = 1, a.b = 2 WHERE pk = 'u' AND sk = '1'",
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]',
    ],
    [
      "UPDATE songs SET a = 'a' + 1 WHERE pk = 'u' AND sk = '1'",
      'Incorrect operand type for operator or function; operator or function: +, operand type: S',
    ],
    [
      "UPDATE things SET t = set_add(ss, <<'x'>>) WHERE pk = 'u'",
      'The first argument to SET_ADD must equal the assignment value at 1:23:7',
    ],
    [
      'UPDATE things\nSET "ss" = set_delete("ss", \'x\') WHERE pk = \'u\'',
      'The second argument to SET_DELETE must be a value with type SET at 2:23:4',
    ],
    ["UPDATE things SET ss = set_add(ss) WHERE pk = 'u'", 'SET_ADD must have exactly two arguments at 1:24:7'],
    [`UPDATE songs."all" SET a = 1 WHERE pk = 'u'`, 'This operation is not supported on an index'],
    ["UPDATE things t SET a = 1 WHERE pk = 'u'", 'Aliasing is not supported'],
    ['UPDATE Payment-x SET active=?', `${malformed}Expected data manipulation`],
    [
      "UPDATE things SET newlist[0] = 'x' WHERE pk = 'u'",
      'The document path provided in the update expression is invalid for update',
    ],
  ])('refuses %s', async (statement, message) => {
    expect(await refusal(statement)).toBe(message)
  })
})

describe('DELETE', () => {
  test('deletes, and shows what was there', async () => {
    await put('things', { pk: { S: 'd' }, a: { N: '1' } })
    const statement = "DELETE FROM things WHERE pk = 'd' RETURNING ALL OLD *"
    expect(await execute(statement)).toEqual({ Items: [{ pk: { S: 'd' }, a: { N: '1' } }] })
    expect(await execute(statement)).toEqual({ Items: [] })
    expect(await item('things', 'd')).toBeUndefined()
  })

  test('keeps what does not meet its conditions; what is not there needs to meet none', async () => {
    await put('things', { pk: { S: 'd' }, a: { N: '1' } })
    await expect(execute("DELETE FROM things WHERE pk = 'd' AND a = 2")).rejects.toMatchObject({
      code: 'ConditionalCheckFailedException',
    })
    expect(await execute("DELETE FROM things WHERE pk = 'nobody' AND a = 2")).toEqual({ Items: [] })
    await execute("DELETE FROM things WHERE pk = 'd' AND a = 1")
    expect(await item('things', 'd')).toBeUndefined()
  })

  test.each([
    ["DELETE FROM things WHERE a = 'd'", mandatoryKey],
    ['DELETE FROM;', `${malformed}Expected identifier for simple path`],
    ["DELETE FROM things WHERE pk = 'd' ORDER BY pk", `${malformed}Unexpected token after expression`],
    [
      "DELETE FROM things WHERE pk = 'd' RETURNING MODIFIED OLD *",
      'Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements.',
    ],
  ])('refuses %s', async (statement, message) => {
    expect(await refusal(statement)).toBe(message)
  })
})

describe('SELECT', () => {
  const sorted = async (where: string): Promise<readonly string[]> => {
    const { Items } = await execute(`SELECT pk, sk FROM songs WHERE ${where}`)
    return Items.map(({ pk, sk }) => `${String(pk?.['S'])}/${String(sk?.['S'])}`)
  }

  test('shows columns under their last names', async () => {
    await put('things', {
      pk: { S: 'c' },
      m: { M: { k: { L: [{ S: 'x' }] }, n: { N: '1' } } },
      l: { L: [{ S: 'a' }] },
    })
    const statement = 'SELECT m.k[0], m.n, l[-0], "none", l[7] FROM things WHERE pk = \'c\' -- the end'
    expect(await execute(statement)).toEqual({ Items: [{ 'k[0]': { S: 'x' }, n: { N: '1' }, 'l[0]': { S: 'a' } }] })
    expect(await execute("SELECT nothing FROM things WHERE pk = 'c'")).toEqual({ Items: [{}] })
  })

  test.each([
    ["pk = 'o'", ['o/1', 'o/2', 'o/3']],
    ["pk = 'o' AND sk = '2'", ['o/2']],
    ["pk = 'o' AND sk > '1' AND sk < '3'", ['o/2']],
    ["pk = 'o' AND begins_with(sk, '3')", ['o/3']],
    ["pk = 'o' AND sk BETWEEN '1' AND '2'", ['o/1', 'o/2']],
    ["pk = 'o' AND (sk = '1' OR sk = '3')", ['o/1', 'o/3']],
    ["pk = 'o' AND sk <> '1'", ['o/2', 'o/3']],
    ["pk = 'o' AND NOT sk IN ['1','3'] OR pk = 'o' AND sk = '1'", ['o/1', 'o/2']],
    ["pk = 'o' OR pk = 'o' AND NOT sk = '1'", ['o/1', 'o/2', 'o/3']],
    ["pk = 'o' AND pk = 'p'", []],
    ["pk = 'nobody' OR sk = '3'", ['o/3', 'p/3']],
    ["pk = 'o' ORDER BY sk DESC", ['o/3', 'o/2', 'o/1']],
    ["pk = 'o' ORDER BY pk ASC", ['o/3', 'o/2', 'o/1']],
    ["pk IN ('o', 'p') ORDER BY pk DESC, sk ASC", ['p/1', 'p/2', 'p/3', 'o/1', 'o/2', 'o/3']],
    ["pk IN ['o', 'p', 'q'] AND sk = '2' ORDER BY pk", ['o/2', 'p/2']],
  ])('finds by %s', async (where, found) => {
    const rows = await sorted(where)
    expect(where.includes('ORDER BY') ? rows : rows.toSorted((one, other) => one.localeCompare(other))).toEqual(
      found,
    )
  })

  test.each([
    ['attribute_exists(m.x)', true],
    ['ATTRIBUTE_EXISTS(none)', false],
    ['attribute_exists(n) = true', true],
    ['NOT attribute_exists(n) = true', false],
    ['true = attribute_exists(n)', true],
    ['attribute_exists(n) <> 1', true],
    ['attribute_exists(n) = yes', true],
    ['attribute_exists(n) = attribute_exists(none)', false],
    ['attribute_exists(none) IN [true, false]', true],
    ['(n BETWEEN 0 AND 5) = true', true],
    ['z IS NULL AND n IS NOT NULL AND none IS NOT NULL AND none IS MISSING AND n IS NOT MISSING', true],
    ['yes IS BOOL AND t IS STRING AND n IS INT', true],
    ["size(t) = 3 AND contains(t, 'u') AND attribute_type(n, 'N')", true],
    ['n != 1', false],
    ['n IN [?, 2]', true],
    ['n = - - 1 AND n BETWEEN - 2 AND +5', true],
    ["t NOT BETWEEN 'a' AND 'b' AND n NOT IN [5]", true],
  ])('filters by %s', async (condition, kept) => {
    const full = {
      n: { N: '1' },
      t: { S: 'tuv' },
      z: { NULL: true },
      yes: { BOOL: true },
      m: { M: { x: { S: 'y' } } },
    }
    await put('things', { pk: { S: 'f' }, ...full })
    const { Items } = await execute(`SELECT pk FROM things WHERE pk = 'f' AND ${condition}`, {
      ...(condition.includes('?') && { Parameters: [{ N: '1' }] }),
    })
    expect(Items.length === 1).toBe(kept)
  })

  test.each([
    ['SELECTT * FROMM "things"', `${malformed}Unexpected token after expression`],
    ['SLECT * FROM "things"', `${malformed}Expected data manipulation`],
    ['SELECT * FROM', `${malformed}Unexpected term`],
    ['SELECT * FROM things WHERE', `${malformed}Unexpected term`],
    ['SELECT * FROM things WHERE ORDER BY pk', `${malformed}Unexpected keyword`],
    ["SELECT * FROM things WHERE pk = 'a' AND", `${malformed}Missing right-hand side expression of infix operator`],
    ['SELECT * FROM things WHERE pk = LIKE', `${malformed}Unexpected operator`],
    ["SELECT * FROM things WHERE pk = 'a' AND x IS FOO", `${malformed}Expected type name`],
    ['SELECT * FROM things WHERE m.inner = 1', `${malformed}Invalid path dot component`],
    ['SELECT * FROM things WHERE pk = 1 # note', malformed],
    ['SELECT * FROM things WHERE pk = 1 /* note', malformed],
    ['SELECT * FROM "things', malformed],
    ['SELECT * FROM numbers WHERE pk = 1e2147483648', malformed],
    ['SELECT * FROM things ORDER BY pk WHERE pk = 1', `${malformed}Unexpected token after expression`],
    ['x IS DOUBLE PRECISION', 'Unsupported operation: IsType'],
    ["SELECT * FROM things t WHERE pk = 'a'", 'Aliasing is not supported'],
    ["SELECT a AS b FROM things WHERE pk = 'a'", 'Aliasing is not supported'],
    ['SELECT * FROM things LIMIT 1', 'Unsupported clause: LIMIT'],
    ['SELECT m.z, z FROM things', 'Duplicate identifiers in select clause: z'],
    ['SELECT attribute_exists(a) FROM things', 'Unexpected path component at 1:8:16'],
    ['SELECT l[-1] FROM things', 'List index is not within the allowable range; index: [-1] at 1:11:1'],
    [
      'SELECT l[2147483648] FROM things',
      'List index is not within the allowable range; index: [2147483648] at 1:10:10',
    ],
    ['SELECT * FROM "" WHERE a = 1', 'Path component cannot be an empty string'],
    ['SELECT * FROM a.b.c', 'A path may contain at most 2 components in the FROM clause'],
    ['SELECT * FROM songs."none" WHERE pk = 1', 'The table does not have the specified index'],
    ["SELECT * FROM things WHERE pk = 'a' AND EXISTS(ss)", 'Unrecognized function: exists at 1:41:6'],
    [
      "SELECT * FROM things WHERE pk = 'a' AND attribute_exists('a')",
      'Operator or function requires a document path; operator or function: attribute_exists',
    ],
    [
      "SELECT * FROM things WHERE pk = 'a' AND attribute_exists(n) > false",
      'Incorrect operand type for operator or function; operator or function: >, operand type: BOOL',
    ],
    [
      "SELECT * FROM things WHERE pk = 'a' AND attribute_type(n, 'X')",
      'Invalid attribute type name found; type: X, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}',
    ],
    [
      "SELECT * FROM missing_table WHERE pk = 'a' AND n < ?",
      'Incorrect operand type for operator or function; operator or function: <, operand type: BOOL',
    ],
    [
      "SELECT * FROM things WHERE pk = 'a' AND n = ? AND o = ?",
      "Number of parameters in request and statement don't match.",
    ],
    ['SELECT * FROM things WHERE pk = true', 'Key value must be of type S, N, or B. Key name: pk, Key type: BOOL'],
    [
      "SELECT * FROM songs WHERE pk = 'a' AND sk IN ['1', 2]",
      "Key attribute's data type should match its data type in table's schema: Key sk",
    ],
    ['SELECT * FROM songs ORDER BY sk', 'Must have WHERE clause in the statement when using ORDER BY clause.'],
    [
      "SELECT * FROM songs WHERE pk = 'o' ORDER BY a DESC",
      'Attribute a in ORDER BY clause must be part of the primary key',
    ],
    [
      "SELECT * FROM songs WHERE pk > 'a' ORDER BY sk",
      'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
    ],
    [
      "SELECT * FROM songs WHERE pk IN ['o', 'p'] ORDER BY sk DESC",
      'Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.',
    ],
    ['EXISTS(SELECT * FROM things WHERE a = 1)', 'EXISTS can only be used in ExecuteTransaction write requests.'],
  ])('refuses %s', async (statement, message) => {
    expect(await refusal(statement, { Parameters: [{ BOOL: true }] })).toBe(message)
  })

  test.each([
    "pk IN ['o','o']",
    "pk = 'o' OR pk = 'o'",
    "pk = 'o' AND (sk > '0' OR sk < '5')",
    "pk = 'o' AND (sk = '1' OR flag = 'two')",
    "(pk = 'o' AND flag = 'one') OR (pk = 'o' AND flag = 'two')",
  ])('refuses to read an item twice: %s', async (where) => {
    expect(await refusal(`SELECT * FROM songs WHERE ${where}`)).toBe(
      'Overlapping conditions with range keys are not supported in where clause',
    )
  })

  test('bounds the reads that a statement comes to', async () => {
    const values = (count: number): string => Array.from({ length: count }, (_, index) => `'v${index}'`).join()
    const tooMany = 'Too many decomposed read operations for a given query.'
    expect(await refusal(`SELECT * FROM songs WHERE pk IN [${values(51)}]`)).toBe(tooMany)
    expect(await refusal(`SELECT * FROM songs WHERE pk IN [${values(26)}] AND sk IN ['1','2']`)).toBe(tooMany)
    expect(await refusal(`SELECT * FROM songs WHERE pk = 'o' AND a IN [${values(101)}]`)).toBe(
      'The IN operator is provided with too many operands; number of operands: 101',
    )
    expect(await execute(`SELECT * FROM songs WHERE pk IN [${values(51)}] OR a = 'one'`)).toEqual({ Items: [] })
  })

  test('refuses parameters that are no values before it reads the statement', async () => {
    const of = (parameter: object): Promise<string> => refusal('UPDATE nothing SET', { Parameters: [parameter] })
    const unconvertible = 'The parameter cannot be converted to a numeric value'
    expect(await of({ SS: ['a', 'a'] })).toBe(
      'One or more parameter values were invalid: Input collection [a, a] contains duplicates.',
    )
    expect(await of({ N: '' })).toBe(unconvertible)
    expect(await of({ L: [{ N: '1' }, { N: '-1e99999999999' }] })).toBe(`${unconvertible}: -1e99999999999`)
    expect(await of({ NS: ['1e-2147483648'] })).toBe(`${unconvertible}: 1e-2147483648`)
    expect(await of({ N: '1e2147483647' })).toBe(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    )
  })

  test('refuses values that no key can be', async () => {
    const long = 'x'.repeat(3_000)
    expect(await refusal(`SELECT * FROM songs WHERE pk = 'o' AND sk > '${long}'`)).toContain('1024 bytes')
    expect(await refusal(`SELECT * FROM songs WHERE pk = '${long}'`)).toContain('2048 bytes')
    expect(await refusal(`UPDATE songs SET a = 1 WHERE pk = '${long}' AND sk = '1'`)).toContain('2048 bytes')
    expect(await refusal("SELECT * FROM songs WHERE pk = ''")).toContain('cannot contain an empty string value')
  })

  test('says that a table is missing', async () => {
    await expect(execute("SELECT * FROM missing_table WHERE pk = 'a'")).rejects.toMatchObject({
      code: 'ResourceNotFoundException',
    })
  })
})

describe('pages', () => {
  const statement = "SELECT sk FROM songs WHERE pk IN ['o', 'p', 'q']"

  test('go on from read to read until all is read', async () => {
    const seen: unknown[] = []
    let NextToken: string | undefined
    let pages = 0
    do {
      const page = await execute(statement, { Limit: 2, ...(NextToken !== undefined && { NextToken }) })
      seen.push(...page.Items.map(({ sk }) => sk?.['S']))
      NextToken = page.NextToken
      pages++
    } while (NextToken !== undefined)
    expect(seen).toEqual(['1', '2', '3', '1', '2', '3'])
    expect(pages).toBeGreaterThan(3)
  })

  test('tell the key that was evaluated last', async () => {
    const page = await execute("SELECT sk FROM songs WHERE pk = 'o' AND a = 1", { Limit: 2 })
    expect(page).toMatchObject({ Items: [], LastEvaluatedKey: { pk: { S: 'o' }, sk: { S: '2' } } })
    const NextToken = page.NextToken
    expect(await execute("SELECT sk FROM songs WHERE pk = 'o' AND a = 1", { NextToken })).toEqual({ Items: [] })
  })

  test('of one item are never followed by another', async () => {
    expect(await execute("SELECT sk FROM songs WHERE pk = 'o' AND sk = '1'", { Limit: 1 })).toEqual({
      Items: [{ sk: { S: '1' } }],
    })
  })

  test('end at a megabyte, whichever reads it comes from', async () => {
    for (const pk of ['large-1', 'large-2', 'large-3', 'large-4']) {
      await put('things', { pk: { S: pk }, a: { S: 'x'.repeat(400_000) } })
    }
    const large = "SELECT pk FROM things WHERE pk IN ['large-1', 'large-2', 'large-3', 'large-4']"
    const page = await execute(large)
    expect(page.Items).toHaveLength(3)
    expect((await execute(large, { NextToken: page.NextToken })).Items).toHaveLength(1)
  })

  test('belong to their statement and its parameters', async () => {
    const { NextToken } = await execute('SELECT sk FROM songs WHERE pk = ?', { Limit: 1, Parameters: [{ S: 'o' }] })
    const mismatch = 'NextToken does not match request'
    expect(await refusal('SELECT sk FROM songs WHERE pk = ?', { NextToken, Parameters: [{ S: 'p' }] })).toBe(
      mismatch,
    )
    expect(await refusal(statement, { NextToken })).toBe(mismatch)
    expect(await refusal(statement, { NextToken: 'abc' })).toBe('Invalid NextToken')
  })

  test('refuse positions outside of what is read', async () => {
    const { NextToken = '' } = await execute(statement, { Limit: 1 })
    const forged = (position: unknown): string =>
      Buffer.concat([
        Buffer.from(NextToken, 'base64').subarray(0, 16),
        Buffer.from(JSON.stringify(position)),
      ]).toString('base64')
    const elsewhere = { pk: { S: 'z' }, sk: { S: '1' } }
    for (const position of [
      [99],
      [-1],
      ['0'],
      {},
      [0, { pk: { S: 'o' } }],
      [0, elsewhere],
      [0, { pk: 1 }],
      [0, 7],
    ]) {
      expect(await refusal(statement, { NextToken: forged(position) })).toBe('Invalid NextToken')
    }
  })
})

describe('indexes', () => {
  beforeAll(async () => {
    const common = { pk: { S: 'i' }, shown: { S: 's' }, hidden: { S: 'h' } }
    for (const sk of ['1', '2']) await put('songs', { ...common, sk: { S: sk }, g: { S: 'y' }, l: { S: sk } })
  })

  const notProjected =
    'One or more parameter values were invalid: Secondary index some does not project one or more filter attributes: '

  test('are read by their own keys, and show what they hold', async () => {
    const { Items } = await execute(`SELECT * FROM songs."some" WHERE g = 'y'`)
    expect(Items).toContainEqual({ pk: { S: 'i' }, sk: { S: '1' }, g: { S: 'y' }, shown: { S: 's' } })
    expect((await execute(`SELECT * FROM "songs"."all" WHERE pk = 'i'`)).Items).toHaveLength(2)
    expect((await execute(`SELECT hidden FROM songs."local" WHERE pk = 'i' AND l = '2'`)).Items).toEqual([
      { hidden: { S: 'h' } },
    ])
  })

  test('are paid for where they are read', async () => {
    const capacity = async (statement: string, more: object = {}): Promise<unknown> =>
      (await execute(statement, { ReturnConsumedCapacity: 'INDEXES', ...more })).ConsumedCapacity
    expect(await capacity(`SELECT * FROM songs."all" WHERE g = 'y'`)).toMatchObject({
      TableName: 'songs',
      CapacityUnits: 0.5,
      Table: { CapacityUnits: 0 },
      GlobalSecondaryIndexes: { all: { CapacityUnits: 0.5 } },
    })
    expect(
      await capacity(`SELECT hidden FROM songs."local" WHERE pk = 'i'`, { ConsistentRead: true }),
    ).toMatchObject({ CapacityUnits: 3, Table: { CapacityUnits: 2 } })
    expect(await capacity("SELECT * FROM songs WHERE pk IN ['o', 'p']")).toMatchObject({ CapacityUnits: 1 })
    expect(await capacity("INSERT INTO songs VALUE {'pk':'paid','sk':'1','g':'z'}")).toMatchObject({
      Table: { CapacityUnits: 1 },
      GlobalSecondaryIndexes: { all: { CapacityUnits: 1 }, some: { CapacityUnits: 1 } },
    })
  })

  test.each([
    [
      `SELECT hidden FROM songs."some" WHERE g = 'y'`,
      {},
      'One or more parameter values were invalid: Global secondary index some does not project [hidden]',
    ],
    [
      `SELECT pk FROM songs."some" WHERE g = 'y' AND b = '1' AND (a = '2' OR shown = '3')`,
      {},
      `${notProjected}[a, b]`,
    ],
    [
      `SELECT pk FROM songs."some" WHERE g = 'y' AND NOT (zz = '1' OR aa = '2' OR mm = '3')`,
      {},
      `${notProjected}[zz, aa, mm]`,
    ],
    [`SELECT pk FROM songs."some" WHERE g IN ['y', 'z'] AND hidden = '1'`, {}, `${notProjected}[hidden]`],
    [
      `SELECT pk FROM songs."all" WHERE g = 'y'`,
      { ConsistentRead: true },
      'Strongly consistent read is not supported on Global Secondary Indexes',
    ],
    [
      `SELECT COUNT(*) FROM songs."several"`,
      {},
      'PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.',
    ],
  ])('refuse %s', async (statement, more, message) => {
    expect(await refusal(statement, more)).toBe(message)
  })

  test('are filtered by what they hold when they are scanned', async () => {
    expect((await execute(`SELECT pk FROM songs."some" WHERE hidden = 'h'`)).Items).toEqual([])
    expect((await execute(`SELECT pk FROM songs."local" WHERE NOT hidden = 'h'`)).Items).toHaveLength(2)
    expect(
      (await execute(`SELECT pk FROM songs."some" WHERE g = 'y' AND (g = 'z' OR hidden = 'h')`)).Items,
    ).toEqual([])
  })
})
