import type { Scope } from '@hashrange/engine'
import type { PageInput } from '../api/inputs.ts'
import { describeFunction } from '../functions/describe-function.ts'
import type { Lambda } from '../lambda.ts'
import { pageOf } from './page-of.ts'

export async function listFunctions(lambda: Lambda, scope: Scope, input: PageInput): Promise<object> {
  const { items, next } = pageOf(await lambda.functions.list(scope), ({ name }) => name, input)
  return {
    Functions: items.map((found) => describeFunction(found)),
    ...(next !== undefined && { NextMarker: next }),
  }
}
