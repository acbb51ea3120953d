import { expect, test } from 'vitest'
import { readLinkFlags } from './link-flags.ts'

const read = (values: object, environment: Readonly<Record<string, string>> = {}) =>
  readLinkFlags(values, (name) => environment[name])

test('links are read from flags, or from the environment', () => {
  const links = [
    { region: 'eu-west-1', url: 'https://eu.example.com:8000' },
    { region: 'ap-northeast-1', url: 'http://10.0.0.1:8000' },
  ]
  const typed = links.map(({ region, url }) => `${region}=${url}`)
  expect(read({ region: 'us-east-1', replicate: typed })).toEqual({ region: 'us-east-1', links })
  const environment = { HASHRANGE_REGION: 'us-east-1', HASHRANGE_REPLICATE: typed.join(',') }
  expect(read({}, environment)).toEqual({ region: 'us-east-1', links })
  expect(read({})).toEqual({})
})

test.each([
  [{ replicate: ['eu-west-1=https://eu.example.com'] }, 'Add --region'],
  [{ region: 'us-east-1', replicate: ['https://eu.example.com'] }, 'takes a region and the address'],
  [{ region: 'us-east-1', replicate: ['eu-west-1=eu.example.com'] }, 'takes a region and the address'],
  [{ region: 'us-east-1', replicate: ['eu-west-1=https://user:secret@eu.example.com'] }, 'takes a region'],
  [{ region: 'us-east-1', replicate: ['us-east-1=https://eu.example.com'] }, 'us-east-1 is this one'],
  [{ region: 'us-east-1', replicate: ['eu-west-1=https://a', 'eu-west-1=https://b'] }, 'names eu-west-1 twice'],
  [{ region: 'Virginia', replicate: [] }, '--region takes the name of a region'],
])('a mistake in %j is explained', (values, sentence) => {
  expect(read(values)).toEqual({ mistake: expect.stringContaining(sentence) })
})

test('a key needs both of its parts', () => {
  expect(read({}, { HASHRANGE_REPLICATE_ACCESS_KEY_ID: 'AKIA' })).toHaveProperty('mistake')
})
