import type { AttributeValue } from '../../../api-types.ts'
import type { LinkParameters } from '../../../state/links.ts'
import { keyValueText } from '../../../values/key-value-text.ts'
import { partitionParameters } from '../../query/asked/query-url.ts'

/** What a link to the items of a partition key says. */
export function itemsParameters(indexName: string | undefined, values: readonly AttributeValue[]): LinkParameters {
  return { index: indexName, pk: JSON.stringify(values.map(keyValueText)) }
}

/** What a link to a query of a partition key says. */
export function queryParameters(indexName: string | undefined, values: readonly AttributeValue[]): LinkParameters {
  return { ...partitionParameters(indexName, values.map(keyValueText)), run: true }
}
