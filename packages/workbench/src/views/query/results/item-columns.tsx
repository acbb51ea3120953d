import { attributeOf, type Item } from '@hashrange/core'
import { ArrowDownUp, KeyRound } from '../../../icons/icons.generated.ts'
import type { GridColumn } from '../../../components/grid/grid-column.ts'
import type { KeyShape } from '../draft/key-schema.ts'

const mostColumns = 300

/** A column for each attribute that the items have; the key first. */
export function itemColumns(items: readonly Item[], key: KeyShape | undefined): GridColumn<Item>[] {
  const roles = new Map<string, 'partition' | 'sort'>()
  for (const { name } of key?.partition ?? []) roles.set(name, 'partition')
  for (const { name } of key?.sort ?? []) roles.set(name, 'sort')
  const seen = new Set<string>()
  for (const item of items) {
    for (const name of Object.keys(item)) {
      if (seen.size < mostColumns) seen.add(name)
    }
  }
  const names = [
    ...[...roles.keys()].filter((name) => seen.has(name)),
    ...[...seen].filter((name) => !roles.has(name)),
  ]
  return names.map((name) => {
    const role = roles.get(name)
    return {
      id: name,
      header: name,
      value: (item) => attributeOf(item, name),
      ...(role !== undefined && { headerNote: <KeyMark role={role} />, isPinned: true }),
    }
  })
}

function KeyMark({ role }: { readonly role: 'partition' | 'sort' }) {
  return (
    <span className="key-mark" role="img" aria-label={`${role} key`} title={`${role} key`}>
      {role === 'partition' ? <KeyRound aria-hidden /> : <ArrowDownUp aria-hidden />}
    </span>
  )
}
