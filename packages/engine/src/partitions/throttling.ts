import type { TableDefinition } from '../definitions/table-definition.ts'

/** What becomes of requests that the service would throttle. `measure`: nothing, but they are counted, and told of once.
 *  `enforce`: they are refused as the service refuses them. `off`: nobody asks. */
export type Throttling = 'measure' | 'enforce' | 'off'

/** A table with this tag is treated as its value says, whatever the engine was told. */
const throttlingTag = 'hashrange:throttling'

export function throttlingOf({ tags }: TableDefinition, otherwise: Throttling): Throttling {
  const tag = Object.hasOwn(tags, throttlingTag) ? tags[throttlingTag] : undefined
  return tag === 'measure' || tag === 'enforce' || tag === 'off' ? tag : otherwise
}
