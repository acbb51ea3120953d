import type { AttributeValue } from '../../api/types.ts'
import type { LinkParameters } from '../../state/links.ts'

/** What a link to the items of a partition key says. */
export function itemsParameters(indexName: string | undefined, values: readonly AttributeValue[]): LinkParameters {
  return { index: indexName, pk: JSON.stringify(values.map(textOf)) }
}

/** What a link to a query of a partition key says. */
export function queryParameters(indexName: string | undefined, values: readonly AttributeValue[]): LinkParameters {
  return { index: indexName, pk: textOf(values[0]), run: true }
}

function textOf(value: AttributeValue | undefined): string {
  if (value === undefined) return ''
  return 'S' in value ? value.S : 'N' in value ? value.N : 'B' in value ? value.B : ''
}
