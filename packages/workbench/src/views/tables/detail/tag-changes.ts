import type { TagDraft } from '../create/table-draft.ts'

/** What has to be set and removed to get from some tags to others. */
export function tagChanges(
  before: readonly TagDraft[],
  after: readonly TagDraft[],
): { readonly set: readonly TagDraft[]; readonly removed: readonly string[] } {
  const old = new Map(before.map(({ key, value }) => [key, value]))
  const kept = new Set(after.map(({ key }) => key))
  return {
    set: after.filter(({ key, value }) => old.get(key) !== value),
    removed: before.map(({ key }) => key).filter((key) => !kept.has(key)),
  }
}

export function tagsProblem(tags: readonly TagDraft[]): string | undefined {
  if (tags.some(({ key }) => key === '')) return 'Every tag needs a key.'
  const keys = new Set(tags.map(({ key }) => key))
  return keys.size < tags.length ? 'Two tags have the same key.' : undefined
}
