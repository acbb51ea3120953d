import { expect, test } from 'vitest'
import { readDenial } from './denial.ts'

const start = 'User: arn:aws:iam::1:user/ann is not authorized to perform: dynamodb:Scan on resource: arn:aws:t '

test('a refusal is told in its parts: the action, the resource, and which kind of policy', () => {
  expect(readDenial(`${start}because no identity-based policy allows the dynamodb:Scan action`)).toEqual({
    action: 'dynamodb:Scan',
    resource: 'arn:aws:t',
    reason: 'No identity-based policy allows it.',
  })
  expect(readDenial(`${start}with an explicit deny in a permissions boundary`)?.reason).toBe(
    'There is an explicit deny in a permissions boundary.',
  )
  expect(readDenial(`${start}because it is in another account`)?.reason).toBe('Because it is in another account.')
  expect(readDenial('Access is denied')).toBeUndefined()
})
