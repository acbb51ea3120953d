import { Badge, type BadgeTone } from '../../components/values/badge.tsx'
import type { EventKind } from './stream-types.ts'

const looks: Readonly<
  Record<EventKind, { readonly tone: BadgeTone; readonly word: string; readonly hint: string }>
> = {
  INSERT: { tone: 'success', word: 'insert', hint: 'INSERT: a new item' },
  MODIFY: { tone: 'info', word: 'modify', hint: 'MODIFY: a changed item' },
  REMOVE: { tone: 'danger', word: 'remove', hint: 'REMOVE: a deleted item' },
  EXPIRE: {
    tone: 'warning',
    word: 'TTL',
    hint: 'REMOVE by DynamoDB itself: the item had expired (userIdentity is the service)',
  },
}

export function EventBadge({ kind }: { readonly kind: EventKind }) {
  const { tone, word, hint } = looks[kind]
  return (
    <Badge tone={tone} title={hint}>
      {word}
    </Badge>
  )
}
