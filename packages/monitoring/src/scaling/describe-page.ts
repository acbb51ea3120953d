import { ServiceError, validationException } from '@hashrange/core'
import type { PagedInput } from '../api/auto-scaling-inputs.ts'
import { type Page, pageToken, readPageToken, type RecordSpace, type Scope } from '@hashrange/engine'

const largestPage = 50

/** One page of a scope's records, as the Describe operations return it. Namespaces other than DynamoDB's have nothing
 *  here. */
export async function describePage<T extends object>(
  records: RecordSpace<T>,
  scope: Scope,
  input: PagedInput,
  matches: (record: T) => boolean,
  reverse = false,
): Promise<{ readonly records: readonly T[]; readonly NextToken: string | undefined }> {
  const { MaxResults = largestPage, NextToken } = input
  if (MaxResults < 1 || MaxResults > largestPage) {
    throw validationException(`MaxResults must be between 1 and ${largestPage}, but was ${MaxResults}.`)
  }
  const after = NextToken === undefined ? undefined : readPageToken(NextToken)
  if (NextToken !== undefined && after === undefined) {
    throw new ServiceError('InvalidNextTokenException', 'The next token supplied is invalid')
  }
  if (input.ServiceNamespace !== 'dynamodb') return { records: [], NextToken: undefined }
  const page: Page<T> = await records.page(scope, { limit: MaxResults, after, reverse, matches })
  return { records: page.records, NextToken: pageToken(page.next) }
}
