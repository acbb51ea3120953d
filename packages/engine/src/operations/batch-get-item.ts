import { limits, readItemIn, validationException, type Item, type Projection } from '@hashrange/core'
import type { BatchGetItemInput, KeysAndAttributesInput } from '../api/item-inputs.ts'
import type { RawItem } from '../api/raw-item.ts'
import type { ConsumedCapacity } from '../capacity/consumed-capacity.ts'
import { throttledBy, type ThrottledError } from '../capacity/throttled.ts'
import { readUnits, tableUnits } from '../capacity/units.ts'
import type { Table } from '../catalog/table.ts'
import type { EngineParts } from './engine-parts.ts'
import { checkKeyPaths } from '../expressions/check-key-paths.ts'
import { readProjection } from '../expressions/read-query-expressions.ts'
import { keyInTable } from '../catalog/key-in-table.ts'
import { checkKey } from '../items/check-schema.ts'
import { showItem, type ShownItem } from '../items/projection.ts'
import { storedSizeBytes } from '../items/stored-item.ts'
import { keyText } from '../store/key-text.ts'
import { Pace } from '../reads/pace.ts'
import { assertCurrent } from '../reads/view-items.ts'
import type { Scope } from '../scope.ts'
import type { Key, Value } from '../store/store.ts'
import { UnitsByTable } from '../transactions/units-by-table.ts'

export interface BatchGetItemOutput {
  readonly Responses: Readonly<Record<string, readonly ShownItem[]>>
  readonly UnprocessedKeys: Readonly<Record<string, KeysAndAttributesInput>>
  readonly ConsumedCapacity?: readonly ConsumedCapacity[] | undefined
}

interface TableRequest {
  readonly tableName: string
  readonly request: KeysAndAttributesInput
  readonly keys: readonly Item[]
  readonly projection: Projection | undefined
}

export async function batchGetItem(
  engine: EngineParts,
  scope: Scope,
  input: BatchGetItemInput,
): Promise<BatchGetItemOutput> {
  const requests = Object.entries(input.RequestItems).map(([tableName, request]): TableRequest => {
    const projection = readProjection(request)
    const keys = request.Keys.map((key) => readItemIn('current', key))
    assertNoneTwice(request.Keys)
    return { tableName, request, keys, projection }
  })
  refuseMixedProjections(requests)
  if (requests.reduce((sum, { keys }) => sum + keys.length, 0) > limits.batchGetKeys) {
    throw validationException('Too many items requested for the BatchGetItem call')
  }
  const tables = requests.map(({ tableName }) => engine.requireTable(scope, tableName))
  const reads = requests.map((request, position) => keysOf(request, tables[position]))

  const units = new UnitsByTable()
  const responses: [tableName: string, items: ShownItem[]][] = []
  const unprocessedKeys: [tableName: string, request: KeysAndAttributesInput][] = []
  const pace = new Pace()
  let bytes = 0
  let throttled: ThrottledError | undefined
  const isConsistent = requests.some(({ request }) => request.ConsistentRead === true)
  await engine.view(isConsistent, async (snapshot) => {
    for (const [position, { tableName, request, keys, projection }] of requests.entries()) {
      const table = tables[position]
      if (table === undefined) throw new Error('every request has its table')
      if (request.ConsistentRead === true) await assertCurrent(snapshot, table.definition)
      const items: ShownItem[] = []
      const unprocessed: KeysAndAttributesInput['Keys'][number][] = []
      const asked = reads[position] ?? []
      const values = await engine
        .seen(snapshot, request.ConsistentRead === true)
        .getMany(asked.map(({ storeKey }) => storeKey))
      const found: Value[] = []
      asked.forEach(({ storeKey, keyPosition }, index) => {
        const value = values[index]
        const key = keys[keyPosition]
        const sizeBytes = value === undefined ? 0 : storedSizeBytes(value)
        // What is admitted is charged right away: nothing can happen in between.
        const refusal = throttledBy(() => engine.capacity.assertTakes(table, 'read', storeKey, key))
        throttled ??= refusal
        if (refusal !== undefined || bytes + sizeBytes > limits.batchGetBytes) {
          unprocessed.push(request.Keys[keyPosition] ?? {})
          return
        }
        bytes += sizeBytes
        const itemUnits = readUnits(sizeBytes, request.ConsistentRead === true)
        engine.capacity.didRead(table, undefined, storeKey, itemUnits, key)
        units.add(table.name, tableUnits(itemUnits), tableName)
        if (value !== undefined) found.push(value)
      })
      for (const value of found) {
        const turn = projection && pace.before(value.length)
        if (turn !== undefined) await turn
        items.push(showItem(value, projection))
      }
      responses.push([tableName, items])
      if (unprocessed.length > 0) unprocessedKeys.push([tableName, { ...request, Keys: unprocessed }])
    }
  })
  if (throttled !== undefined && units.isEmpty) throw throttled
  return {
    Responses: Object.fromEntries(responses),
    UnprocessedKeys: Object.fromEntries(unprocessedKeys),
    ConsumedCapacity: units.consumed(input.ReturnConsumedCapacity),
  }
}

/** Each table's request was checked separately; a request must not mix the legacy and the current form across tables
 *  either. */
function refuseMixedProjections(requests: readonly TableRequest[]): void {
  const isLegacy = requests.some(({ request }) => request.AttributesToGet !== undefined)
  if (isLegacy && requests.some(({ request }) => request.ProjectionExpression !== undefined)) {
    throw validationException(
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}',
    )
  }
}

/** One item to read, and the position of its key in the request. */
interface AskedItem {
  readonly storeKey: Key
  readonly keyPosition: number
}

/** A key that appears twice in different spellings, such as `1` and `1.0`, is not rejected, and its item is read
 *  once. */
function keysOf({ keys, projection }: TableRequest, table: Table | undefined): readonly AskedItem[] {
  if (table === undefined) throw new Error('every request has its table')
  if (projection !== undefined) checkKeyPaths(table, projection.paths)
  const seen = new Set<string>()
  const asked: AskedItem[] = []
  keys.forEach((item, keyPosition) => {
    checkKey(table, item)
    const storeKey = keyInTable(table, item)
    const name = keyText(storeKey)
    if (seen.has(name)) return
    seen.add(name)
    asked.push({ storeKey, keyPosition })
  })
  return asked
}

/** Keys are compared as they were sent, before their table is known. */
function assertNoneTwice(keys: readonly RawItem[]): void {
  const seen = new Set<string>()
  for (const key of keys) {
    const text = requestedKeyText(key)
    if (seen.has(text)) throw validationException('Provided list of item keys contains duplicates')
    seen.add(text)
  }
}

function requestedKeyText(key: RawItem): string {
  const parts: string[] = []
  for (const name in key) {
    const value = key[name] ?? {}
    const { S, N } = value
    const text = S !== undefined ? `S${S}` : N !== undefined ? `N${N}` : JSON.stringify(value)
    parts.push(`${name.length}:${name}${text.length}:${text}`)
  }
  return parts.toSorted().join('')
}
