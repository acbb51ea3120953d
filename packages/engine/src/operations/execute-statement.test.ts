import { beforeAll, describe, expect, test } from 'vitest'
import { useStatementTables } from './testing/use-statement-tables.ts'

const malformed = "Statement wasn't well formed, can't be processed: "

const { execute, put, refusal } = useStatementTables()

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
