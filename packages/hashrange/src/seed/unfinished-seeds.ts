import { errorCode, type DatabasePort } from '@hashrange/transfer'

/** A tag that a table has while it is filled. If the process is killed meanwhile, the table has items, but not all of
 *  them: the next start finds the tag, and fills it again. */
const tag = 'hashrange:seeding'

export async function isUnfinished(port: DatabasePort, tableName: string): Promise<boolean> {
  const { Tags } = await port.request('ListTagsOfResource', { ResourceArn: await arnOf(port, tableName) })
  return Array.isArray(Tags) && Tags.some((one: { readonly Key?: unknown }) => one.Key === tag)
}

export async function markUnfinished(port: DatabasePort, tableName: string): Promise<void> {
  try {
    const ResourceArn = await arnOf(port, tableName)
    await port.request('TagResource', { ResourceArn, Tags: [{ Key: tag, Value: 'true' }] })
  } catch (error) {
    // A table that has all the tags that it may have is filled without.
    if (!(error instanceof Error) || errorCode(error) !== 'ValidationException') throw error
  }
}

export async function markFinished(port: DatabasePort, tableName: string): Promise<void> {
  await port.request('UntagResource', { ResourceArn: await arnOf(port, tableName), TagKeys: [tag] })
}

async function arnOf(port: DatabasePort, TableName: string): Promise<unknown> {
  const { Table } = await port.request('DescribeTable', { TableName })
  return (Table as { readonly TableArn?: unknown }).TableArn
}
