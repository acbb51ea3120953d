import type { Scope } from '@hashrange/engine'
import type { ListEventSourceMappingsInput } from '../api/inputs.ts'
import { readFunctionName } from '../functions/function-name.ts'
import type { Lambda } from '../lambda.ts'
import { describedMapping, mappingsOf } from './mapping-book.ts'
import { pageOf } from './page-of.ts'

export async function listEventSourceMappings(
  lambda: Lambda,
  scope: Scope,
  input: ListEventSourceMappingsInput,
): Promise<object> {
  const { EventSourceArn: sourceArn, FunctionName: name } = input
  const functionName = name === undefined ? undefined : readFunctionName(scope, name)
  const found = (await mappingsOf(lambda, scope)).filter(
    (record) =>
      (sourceArn === undefined || record.sourceArn === sourceArn) &&
      (functionName === undefined || record.functionName === functionName),
  )
  const { items, next } = pageOf(found, ({ uuid }) => uuid, input)
  return {
    EventSourceMappings: await Promise.all(items.map((record) => describedMapping(lambda, scope, record))),
    ...(next !== undefined && { NextMarker: next }),
  }
}
