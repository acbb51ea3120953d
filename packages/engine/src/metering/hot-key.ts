import type { KeyCount } from './heavy-hitters.ts'
import type { HotKey } from './metrics.ts'
import { textOfValues } from './text-of-values.ts'

export function hotKeyOf({ values, amount, overestimate }: KeyCount): HotKey {
  return { values, text: textOfValues(values), amount, overestimate }
}
