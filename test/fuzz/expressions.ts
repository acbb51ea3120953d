import type { Randomness } from '../support/randomness.ts'

const words = [
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'contains',
  'size',
  'AND',
  'OR',
  'NOT',
  'BETWEEN',
  'IN',
  'SET',
  'REMOVE',
  'ADD',
  'DELETE',
  'if_not_exists',
  'list_append',
  '(',
  ')',
  '=',
  '<>',
  '<',
  '>=',
  '+',
  '-',
  ',',
  'pk',
  'sk',
  '#n',
  ':v',
  ':w',
  'a.b',
  'a[0]',
  'a[99999999999]',
  'a.b[1].c',
  '\u0000',
  'ü',
  '',
]

const statementWords = [
  'SELECT',
  '*',
  'FROM',
  'WHERE',
  'INSERT INTO',
  'UPDATE',
  'DELETE FROM',
  'VALUE',
  'SET',
  'REMOVE',
  'RETURNING ALL NEW *',
  'EXISTS',
  'IN',
  'IS MISSING',
  'IS NOT NULL',
  'ORDER BY',
  'DESC',
  '"things"',
  '"things"."byState"',
  "'text'",
  "{'pk': 'a', 'sk': 1}",
  '<<1, 2>>',
  '?',
  '1e400',
  '--',
  ';',
  ...words,
]

/** Something like an expression; most are wrong somewhere. */
export function anyExpression(random: Randomness): string {
  return sentence(random, words)
}

/** Something like a statement of PartiQL. */
export function anyStatement(random: Randomness): string {
  return sentence(random, statementWords)
}

function sentence(random: Randomness, vocabulary: readonly string[]): string {
  const whole = random.oneOf(wholes)
  if (random.chance(0.3)) return mutated(random, whole)
  const length = random.chance(0.05) ? 2_000 : random.between(0, 14)
  return Array.from({ length }, () => random.oneOf(vocabulary)).join(random.chance(0.9) ? ' ' : '')
}

/** Sentences that are right, to be broken. */
const wholes = [
  'attribute_not_exists(pk) AND (size(#n) > :v OR contains(a.b[1], :w))',
  'SET #n = if_not_exists(#n, :v) + :w, a.b = list_append(a.b, :v) REMOVE c[1] ADD d :v DELETE e :w',
  'pk = :v AND begins_with(sk, :w)',
  'pk = :v AND sk BETWEEN :v AND :w',
  'NOT (a IN (:v, :w) OR b <> :v)',
  `SELECT pk, a.b FROM "things" WHERE pk = 'x' AND sk BETWEEN 1 AND 2 ORDER BY sk DESC`,
  `INSERT INTO "things" VALUE {'pk': ?, 'sk': 1, 'a': <<'x', 'y'>>}`,
  `UPDATE "things" SET a = list_append(a, [1]) WHERE pk = 'x' AND sk = 1 RETURNING ALL NEW *`,
  `${'('.repeat(300)}a = :v${')'.repeat(300)}`,
  `${'NOT '.repeat(1_000)}a = :v`,
  Array.from({ length: 400 }, (_, n) => `a${n} = :v`).join(' OR '),
]

function mutated(random: Randomness, text: string): string {
  const at = random.between(0, text.length)
  switch (random.between(0, 3)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + random.oneOf(words) + text.slice(at)
    case 2:
      return text.slice(0, at) + text.slice(Math.min(text.length, at + random.between(1, 5)))
    default:
      return text + text
  }
}
