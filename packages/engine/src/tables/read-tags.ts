import { validationException } from '@hashrange/core'
import type { TagInput } from '../api/table-inputs.ts'

export type Tags = Readonly<Record<string, string>>

const allowed = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u
const maximumTags = 50

/** The tags after `added` have been added. */
export function addTags(present: Tags, added: readonly TagInput[]): Tags {
  const tags = new Map(Object.entries(present))
  const addedKeys = new Set<string>()
  for (const { Key, Value } of added) {
    assertTagKey(Key)
    if (Value === undefined || Value.length > 256 || !allowed.test(Value)) {
      throw validationException(`The Tag Value provided is invalid, Value: ${Value ?? 'null'}`)
    }
    if (addedKeys.has(Key)) {
      throw validationException(`Duplicate Tag Keys provided as input: Duplicate Tag Key found ${Key}`)
    }
    addedKeys.add(Key)
    tags.set(Key, Value)
  }
  if (tags.size > maximumTags) {
    throw validationException('Number of Tags exceed the current limit for the provided ResourceArn')
  }
  return Object.fromEntries(tags)
}

export function removeTags(present: Tags, keys: readonly string[]): Tags {
  keys.forEach(assertTagKey)
  const removed = new Set(keys)
  return Object.fromEntries(Object.entries(present).filter(([key]) => !removed.has(key)))
}

function assertTagKey(key: string | undefined): asserts key is string {
  if (key === undefined || key === '' || key.length > 128 || !allowed.test(key)) {
    throw validationException(`The Tag Key provided is invalid, Key: ${key ?? 'null'}`)
  }
  if (key.toLowerCase().startsWith('aws:')) {
    throw validationException(`Tag Key cannot be prefixed with aws:, Key: ${key}`)
  }
}
