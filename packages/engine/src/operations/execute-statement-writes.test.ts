import { describe, expect, test } from 'vitest'
import { useStatementTables } from './testing/use-statement-tables.ts'

const malformed = "Statement wasn't well formed, can't be processed: "
const mandatoryKey = 'Where clause does not contain a mandatory equality on all key attributes'

const { execute, put, item, refusal } = useStatementTables()

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
