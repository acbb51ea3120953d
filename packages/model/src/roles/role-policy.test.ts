import { describe, expect, test } from 'vitest'
import { entity, model, ModelError, now, s } from '../index.ts'
import { rolePolicy, type PolicyStatement } from './role-policy.ts'

const Note = entity('Note', {
  tenant: s.string(),
  noteId: s.string(),
  text: s.string(),
  colour: s.string(),
  version: s.version(),
  updatedAt: s.iso('second').onWrite(now),
})
  .key({ pk: 'T#{tenant}', sk: 'NOTE#{noteId}' })
  .index('byColour', { pk: 'T#{tenant}#{colour}', sk: '{noteId}' })
const Global = entity('Global', { id: s.string(), value: s.string() }).key({ pk: 'COST$*?#{id}', sk: 'X' })
const Late = entity('Late', { tenant: s.string(), id: s.string() }).key({ pk: 'Z#{id}#{tenant}', sk: 'X' })
const Unique = entity('Unique', { tenant: s.string(), id: s.string(), email: s.string() })
  .key({ pk: 'U#{tenant}', sk: '{id}' })
  .unique('email')

const base = { name: 'notes', entities: { Note, Global, Late, Unique } }

describe('the policy of a role', () => {
  const notes = model({
    ...base,
    patterns: (p) => ({
      notes: p.query({ pk: 'T#{tenant}', sk: 'NOTE#*' }),
      byColour: p.query({ on: 'byColour', pk: 'T#{tenant}#{colour}' }),
      write: p.put('Note'),
      recolour: p.update('Note', { changes: ['colour'] }),
      remove: p.delete('Note'),
      move: p.transact({ 'Note.create': 1, 'Note.delete': 1, 'Global.check': 1 }),
      all: p.scan({ entities: ['Global'] }),
      global: p.get('Global'),
      join: p.create('Unique'),
      byEmail: p.lookup('Unique', 'email'),
      member: p.get('Unique'),
      members: p.batchGet('Unique'),
    }),
    roles: {
      reader: { tenant: 'tenant', patterns: ['notes', 'byColour'] },
      // To read an item, its guards are not needed.
      visitor: { tenant: 'tenant', patterns: ['member', 'members'] },
      writer: { tenant: 'tenant', patterns: ['write', 'recolour', 'remove'] },
      operator: { patterns: ['move', 'all', 'global', 'join', 'byEmail'] },
    },
  })

  test('names tables and indexes, the keys of one tenant, and attributes', () => {
    const statements = policyOf('reader')
    expect(statements.map(({ Action, Resource }) => [Action, Resource])).toEqual([
      [['dynamodb:Query'], 'arn:aws:dynamodb:*:*:table/notes'],
      [['dynamodb:Query'], 'arn:aws:dynamodb:*:*:table/notes/index/byColour'],
    ])
    expect(keysOf(statements)).toEqual([['T#${aws:PrincipalTag/tenant}'], ['T#${aws:PrincipalTag/tenant}#*']])
    for (const { Condition } of statements) expect(Condition?.['Null']).toEqual({ 'dynamodb:LeadingKeys': 'false' })
  })

  test('does not need the guards of an item to read it', () => {
    expect(keysOf(policyOf('visitor'))).toEqual([['U#${aws:PrincipalTag/tenant}']])
  })

  test('lets an update change what it must, and no more', () => {
    const update = policyOf('writer').find(({ Action }) => Action.includes('dynamodb:UpdateItem'))
    const names = update?.Condition?.['ForAllValues:StringEquals']?.['dynamodb:Attributes']
    expect(names).toEqual(expect.arrayContaining(['pk', 'sk', 'colour', 'version', 'updatedAt']))
    expect(names).not.toContain('text')
  })

  test('allows no scan unless a pattern is one', () => {
    expect(new Set(actionsOf('reader'))).toEqual(new Set(['dynamodb:Query']))
    expect(actionsOf('writer').toSorted()).toEqual([
      'dynamodb:DeleteItem',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
    ])
    expect(actionsOf('operator')).toContain('dynamodb:Scan')
  })

  test('has the actions of the parts of transactions, and of what is kept beside an item', () => {
    expect(new Set(actionsOf('operator'))).toEqual(
      new Set(['PutItem', 'DeleteItem', 'ConditionCheckItem', 'Scan', 'GetItem'].map((name) => `dynamodb:${name}`)),
    )
  })

  test('takes the marks of wildcards and variables in keys for what they are', () => {
    const get = policyOf('operator').find(({ Action }) => Action.includes('dynamodb:ConditionCheckItem'))
    expect(keysOf(get === undefined ? [] : [get])).toEqual([['COST${$}${*}${?}#*']])
  })

  test('has a different identifier for each statement, of letters and digits', () => {
    for (const name of ['reader', 'writer', 'operator']) {
      const sids = policyOf(name).map(({ Sid }) => Sid)
      expect(new Set(sids).size).toBe(sids.length)
      for (const sid of sids) expect(sid).toMatch(/^[A-Za-z0-9]+$/)
    }
  })

  function policyOf(name: string): readonly PolicyStatement[] {
    const role = notes.description.roles?.find((each) => each.name === name)
    return role === undefined ? [] : rolePolicy(notes.description, role).Statement
  }

  function actionsOf(name: string): readonly string[] {
    return policyOf(name).flatMap(({ Action }) => Action)
  }
})

describe('a role is rejected', () => {
  const attempts: [string, string, () => unknown][] = [
    ['that has no patterns', 'has no patterns', () => withRole({ patterns: [] })],
    ['whose name IAM would not take', 'cannot be the name', () => withRole({ patterns: ['notes'] }, 'a role')],
    ['that scans for one tenant', 'is a scan', () => withRole({ tenant: 'tenant', patterns: ['all'] })],
    [
      'whose items have no tenant',
      'does not begin with {tenant}',
      () => withRole({ tenant: 'tenant', patterns: ['global'] }),
    ],
    [
      'whose tenant does not come first',
      'does not begin with {tenant}',
      () => withRole({ tenant: 'tenant', patterns: ['late'] }),
    ],
    [
      'that writes guards of all tenants',
      'does not begin with {tenant}',
      () => withRole({ tenant: 'tenant', patterns: ['join'] }),
    ],
    ['whose pattern does not exist', 'which does not exist', () => withRole({ patterns: ['nothing' as never] })],
  ]
  test.each(attempts)('%s', (_, sentence, make) => {
    expect(make).toThrow(ModelError)
    expect(make).toThrow(sentence)
  })

  type Name = 'notes' | 'all' | 'global' | 'late' | 'join'
  function withRole(role: { readonly tenant?: string; readonly patterns: readonly Name[] }, name = 'one'): unknown {
    const { description } = model({
      ...base,
      patterns: (p) => ({
        notes: p.query({ pk: 'T#{tenant}', sk: 'NOTE#*' }),
        all: p.scan({ entities: ['Note'] }),
        global: p.get('Global'),
        late: p.get('Late'),
        join: p.create('Unique'),
      }),
      roles: { [name]: role },
    })
    return description.roles?.map((each) => rolePolicy(description, each))
  }
})

function keysOf(statements: readonly PolicyStatement[]): unknown[] {
  return statements.map(({ Condition }) => Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'])
}
