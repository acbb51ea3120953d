/** A member of a request that has not been checked yet. */
export function sentText(body: unknown, member: string): string | undefined {
  const value = sentMember(body, member)
  return typeof value === 'string' ? value : undefined
}

export function sentTexts(body: unknown, member: string): readonly string[] {
  const value = sentMember(body, member)
  return Array.isArray(value) ? value.filter((element) => typeof element === 'string') : []
}

/** Tags as every service writes them. */
export function sentTags(
  body: unknown,
  member = 'Tags',
): readonly { readonly Key: string; readonly Value: string }[] {
  const value = sentMember(body, member)
  if (!Array.isArray(value)) return []
  return value.flatMap((tag) => {
    const key = sentText(tag, 'Key')
    return key === undefined ? [] : [{ Key: key, Value: sentText(tag, 'Value') ?? '' }]
  })
}

/** Tags as newer services write them: a map. */
export function sentTagMap(body: unknown): readonly { readonly Key: string; readonly Value: string }[] {
  const value = sentMember(body, 'Tags')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).map(([Key, Value]) => ({ Key, Value: typeof Value === 'string' ? Value : '' }))
}

function sentMember(body: unknown, member: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, member)) return undefined
  return (body as Record<string, unknown>)[member]
}
