import type { Scope, WorkbenchInfo } from '../../api-types.ts'
import { isSameScope, scopeText } from '../../state/scope.tsx'

/** Where something can be copied to. */
export interface CopyPlace {
  readonly id: string
  readonly label: string
  readonly scope: Scope
}

/** Every place but the one that is shown. */
export function copyPlaces(
  { hasDatabase, scopes, defaultScope, connections }: WorkbenchInfo,
  shown: Scope,
): readonly CopyPlace[] {
  const own = !hasDatabase ? [] : scopes.length === 0 ? [defaultScope] : scopes
  return [
    ...own.map(({ accountId, region }) => ({
      scope: { accountId, region },
      label: own.length === 1 ? `This server · ${region}` : `This server · ${accountId} · ${region}`,
    })),
    ...connections.map(({ name, region, place }) => ({
      scope: { accountId: '', region, connection: name },
      label: `${name} · ${region} · ${place}`,
    })),
  ]
    .filter(({ scope }) => !isSameScope(scope, shown))
    .map((place) => ({ ...place, id: scopeText(place.scope) }))
}
