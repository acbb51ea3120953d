import type { Answer } from '../../testing/test-engine.ts'

/** The input of a Query. */
export function queryOf(
  TableName: string,
  KeyConditionExpression: string,
  values: object,
  more: object = {},
): object {
  return { TableName, KeyConditionExpression, ExpressionAttributeValues: values, ...more }
}

/** What the items of a page have in one attribute. */
export function valuesIn(page: Answer, name = 'sk'): string[] {
  return (page.Items ?? []).map((item) => String(Object.values(item[name] ?? {})[0]))
}
