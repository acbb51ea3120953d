import type { Scope } from '@hashrange/engine'
import { invalidArgument } from './stream-errors.ts'

type Tags = Readonly<Record<string, string>>

const mostTags = 50

/** The tags of a stream or consumer after some were added. */
export function checkTags({ accountId }: Scope, streamName: string, current: Tags, added: Tags): Tags {
  for (const text of Object.entries(added).flat()) {
    if (!/^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u.test(text)) {
      throw invalidArgument(
        'Some tags contain invalid characters. Valid characters: Unicode letters, digits, white space, _ . / = + - % @.',
      )
    }
  }
  const all = Object.assign(Object.create(null) as Record<string, string>, current, added)
  if (Object.keys(all).length > mostTags) {
    throw invalidArgument(
      `Failed to add tags to stream ${streamName} under account ${accountId} because a given stream cannot have more than ${mostTags} tags associated with it.`,
    )
  }
  return all
}

export function withoutTags(current: Tags, removed: readonly string[]): Tags {
  return Object.fromEntries(Object.entries(current).filter(([key]) => !removed.includes(key)))
}

export function listTags(tags: Tags): readonly { readonly Key: string; readonly Value: string }[] {
  return Object.entries(tags)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([Key, Value]) => ({ Key, Value }))
}
