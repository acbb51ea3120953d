import { attributeOf, type Item } from '@hashrange/core'
import { Badge } from '../../components/badge.tsx'
import type { GridColumn } from '../../components/data-grid.tsx'
import type { KeyShape } from './key-schema.ts'

const mostColumns = 300

/** A column for each attribute that the items have; the key first. */
export function itemColumns(items: readonly Item[], key: KeyShape | undefined): GridColumn<Item>[] {
  const roles = new Map<string, string>()
  for (const { name } of key?.partition ?? []) roles.set(name, 'PK')
  for (const { name } of key?.sort ?? []) roles.set(name, 'SK')
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
      ...(role !== undefined && { headerNote: <Badge tone="accent">{role}</Badge> }),
    }
  })
}
