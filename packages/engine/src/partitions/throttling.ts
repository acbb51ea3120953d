import type { TableDefinition } from '../definitions/table-definition.ts'

/** What happens to requests that the service would throttle. `measure`: they succeed, but are counted, and reported
 *  once. `enforce`: they are throttled as in the service. `off`: nothing is checked. */
export type Throttling = 'measure' | 'enforce' | 'off'

/** A table with this tag is treated as its value says, whatever the engine's setting. */
const throttlingTag = 'hashrange:throttling'

export function throttlingOf({ tags }: TableDefinition, otherwise: Throttling): Throttling {
  const tag = Object.hasOwn(tags, throttlingTag) ? tags[throttlingTag] : undefined
  return tag === 'measure' || tag === 'enforce' || tag === 'off' ? tag : otherwise
}
