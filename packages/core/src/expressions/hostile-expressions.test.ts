import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ServiceError } from '../errors.ts'
import type { Item } from '../values/attribute-value.ts'
import { applyUpdate } from './apply-update.ts'
import { compileCondition } from './compile-condition.ts'
import { compileProjection } from './compile-projection.ts'
import { compileUpdate } from './compile-update.ts'
import { ExpressionScope } from './expression-scope.ts'
import { holds } from './holds.ts'
import { compileKeyCondition } from './key-terms.ts'
import { project } from './project.ts'

const lexemes =
  'a b.c m.x l[0] #n :s :n :l :set ( ) , . [ ] = <> < <= > >= + - AND OR NOT BETWEEN IN SET REMOVE ADD DELETE ' +
  'attribute_exists( contains( begins_with( size( if_not_exists( list_append( f( _ ! 7 name 😀'
const text = fc.array(fc.constantFrom(...lexemes.split(' ')), { maxLength: 40 }).map((words) => words.join(' '))

const item: Item = { a: { N: '1' }, m: { M: { x: { S: 's' } } }, l: { L: [{ N: '1' }] } }

function newScope(): ExpressionScope {
  return new ExpressionScope(
    { '#n': '__proto__' },
    { ':s': { S: 's' }, ':n': { N: '1' }, ':l': { L: [] }, ':set': { SS: ['s'] } },
  )
}

/** What a client sends is either understood or refused; nothing else comes of it. */
function assertUnderstoodOrRefused(attempt: () => unknown): void {
  try {
    attempt()
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError)
  }
}

test('any row of tokens is understood or refused', () => {
  fc.assert(
    fc.property(text, (words) => {
      assertUnderstoodOrRefused(() => holds(compileCondition(words, 'ConditionExpression', newScope()), item))
      assertUnderstoodOrRefused(() => compileKeyCondition(words, newScope()))
      assertUnderstoodOrRefused(() => project(compileProjection(words, newScope()), item))
      assertUnderstoodOrRefused(() => applyUpdate(compileUpdate(words, newScope()), item, {}))
      assertUnderstoodOrRefused(() => applyUpdate(compileUpdate(`SET ${words}`, newScope()), item, {}))
    }),
    { numRuns: 2000 },
  )
})

test.each(['(', '((a)=', 'NOT ', 'NOT(', 'f(', '(f(', 'size(', 'a=b OR(', 'if_not_exists(a,', 'a.b', 'a[1]', '#'])(
  'a text full of %j is answered without overflow',
  (piece) => {
    const full = piece.repeat(Math.floor(4000 / piece.length))
    assertUnderstoodOrRefused(() => compileCondition(full, 'FilterExpression', newScope()))
    assertUnderstoodOrRefused(() => compileProjection(full, newScope()))
    assertUnderstoodOrRefused(() => compileUpdate(`SET a = ${full}`, newScope()))
  },
)
