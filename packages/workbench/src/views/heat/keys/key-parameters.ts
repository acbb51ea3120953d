import type { AttributeValue } from '../../../api-types.ts'
import type { LinkParameters } from '../../../state/links.ts'
import { partitionParameters } from '../../query/asked/query-url.ts'

/** What a link to the items of a partition key says. */
export function itemsParameters(indexName: string | undefined, values: readonly AttributeValue[]): LinkParameters {
  return { index: indexName, pk: JSON.stringify(values.map(textOf)) }
}

/** What a link to a query of a partition key says. */
export function queryParameters(indexName: string | undefined, values: readonly AttributeValue[]): LinkParameters {
  return { ...partitionParameters(indexName, values.map(textOf)), run: true }
}

function textOf(value: AttributeValue): string {
  return 'S' in value ? value.S : 'N' in value ? value.N : 'B' in value ? value.B : ''
}
