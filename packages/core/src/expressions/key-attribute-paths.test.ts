import { expect, test } from 'vitest'
import { compileCondition } from './compile-condition.ts'
import { compileUpdate } from './compile-update.ts'
import { ExpressionScope } from './expression-scope.ts'
import { assertFilterAvoidsKeys, assertKeysNotNested, conditionPaths, updatePaths } from './key-attribute-paths.ts'
import { pathText } from './syntax.ts'

const scope = new ExpressionScope(undefined, { ':v': { S: 'S' } })
const filter = compileCondition(
  'a = b OR NOT (size(c.x) > d AND e IN (f, :v)) AND attribute_type(g, :v) AND begins_with(h, :v) ' +
    'AND contains(i, :v) AND j BETWEEN k AND l AND attribute_exists(m[0]) AND attribute_not_exists(n)',
  'FilterExpression',
  scope,
)

test('every path of a condition is found', () => {
  const names = conditionPaths(filter).map(pathText).toSorted()
  expect(names.join(' ')).toBe('[a] [b] [c, x] [d] [e] [f] [g] [h] [i] [j] [k] [l] [m, [0]] [n]')
})

test('every path of an update is found', () => {
  const update = compileUpdate(
    'SET a = b + c, d = if_not_exists(e, f), g = list_append(h, :v) REMOVE i',
    new ExpressionScope(undefined, { ':v': { L: [] } }),
  )
  expect(updatePaths(update).map(pathText).join('')).toBe('[a][b][c][d][e][f][g][h][i]')
})

test('a filter may not name key attributes', () => {
  expect(() => assertFilterAvoidsKeys(filter, ['pk', 'x'], 'Filter Expression')).not.toThrow()
  expect(() => assertFilterAvoidsKeys(filter, ['pk', 'c'], 'Filter Expression')).toThrow(
    'Filter Expression can only contain non-primary key attributes: Primary key attribute: c',
  )
  expect(() => assertFilterAvoidsKeys(filter, ['a'], 'QueryFilter')).toThrow(
    'QueryFilter can only contain non-primary key attributes: Primary key attribute: a',
  )
})

test('no path leads into a key', () => {
  expect(() => assertKeysNotNested(conditionPaths(filter), ['a'], 'Key')).not.toThrow()
  expect(() => assertKeysNotNested(conditionPaths(filter), ['c'], 'IndexKey')).toThrow(
    "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: c",
  )
})
