import type { Item } from '@hashrange/core'
import { useQuery } from '@tanstack/react-query'
import { scopeKey, useCall } from '../../api/queries.ts'
import { keyNames, schemaKeys } from '../../api/table-facts.ts'
import type { TableDescription } from '../../api-types.ts'
import { useScope } from '../../state/scope.tsx'
import { keyFromText } from '../items/keys/keys.ts'

export interface FollowedItem {
  readonly key: Item | undefined
  /** Nothing while it is not loaded, or is not there. */
  readonly item: Item | undefined
  readonly isMissing: boolean
}

/** The item whose places are shown, kept up to date; its key is given as text. */
export function useFollowedItem(table: TableDescription, keyAsText: string): FollowedItem {
  const call = useCall()
  const scope = useScope()
  const key = keyAsText === '' ? undefined : keyFromText(keyAsText, keyNames(schemaKeys(table.KeySchema)))
  const { data } = useQuery({
    queryKey: [scopeKey(scope), 'collections', table.TableName, 'item', keyAsText],
    enabled: key !== undefined,
    refetchInterval: 4000,
    queryFn: async ({ signal }) =>
      (await call<{ Item?: Item }>('GetItem', { TableName: table.TableName, Key: key }, signal)).Item ?? null,
  })
  return { key, item: key === undefined ? undefined : (data ?? undefined), isMissing: data === null }
}
