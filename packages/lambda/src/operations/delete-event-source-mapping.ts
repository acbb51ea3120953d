import type { Scope } from '@hashrange/engine'
import type { MappingName } from '../api/inputs.ts'
import type { Lambda } from '../lambda.ts'
import { describedMapping, requireOwnMapping } from './mapping-book.ts'

export async function deleteEventSourceMapping(
  lambda: Lambda,
  scope: Scope,
  { UUID }: MappingName,
): Promise<object> {
  const record = await requireOwnMapping(lambda, scope, UUID)
  const described = await describedMapping(lambda, scope, record, 'Deleting')
  await lambda.mappings.change(scope, [UUID], () => undefined)
  await lambda.mappingsChanged()
  await lambda.mappingOf(scope, record).progress.forget(UUID)
  return described
}
