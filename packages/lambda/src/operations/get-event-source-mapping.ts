import type { Scope } from '@hashrange/engine'
import type { MappingName } from '../api/inputs.ts'
import type { Lambda } from '../lambda.ts'
import { describedMapping, requireMapping } from './mapping-book.ts'

export async function getEventSourceMapping(lambda: Lambda, scope: Scope, { UUID }: MappingName): Promise<object> {
  return describedMapping(lambda, scope, await requireMapping(lambda, scope, UUID))
}
