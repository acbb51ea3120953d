import { attributeOf, type AttributeValue, type Item } from '@hashrange/core'
import { ApiError, type Call } from '../../../api/api.ts'
import type { TableDescription } from '../../../api-types.ts'
import type { JobReport } from '../../../components/messages/job.tsx'
import type { KeyList } from '../keys/keys.ts'
import { inParallel } from './in-parallel.ts'

export interface AttributeEdit {
  readonly name: string
  /** Nothing removes it. */
  readonly value: AttributeValue | undefined
}

/** What an item had before it was changed. */
export interface EarlierValue {
  readonly key: Item
  readonly value: AttributeValue | undefined
}

export interface BulkOutcome {
  readonly changed: readonly EarlierValue[]
  /** Those that were gone, or that somebody else had changed. */
  readonly skipped: number
}

/** Sets or removes one attribute of many items. An item that is gone is not made anew. What was there is told also when it was stopped. */
export async function setAttributeOfItems(
  call: Call,
  table: TableDescription,
  keys: KeyList,
  edit: AttributeEdit,
  signal: AbortSignal,
  report: (report: JobReport) => void,
): Promise<BulkOutcome> {
  const exists = { condition: 'attribute_exists(#key)', names: { '#key': firstKey(table) }, values: {} }
  const changeOf = (key: Item): Change => ({ key, edit, only: exists })
  return changeEach(call, table, { size: keys.size, of: keys, changeOf }, signal, report)
}

/** Puts back what items had, unless the attribute was changed again since. */
export async function restoreAttribute(
  call: Call,
  table: TableDescription,
  earlier: readonly EarlierValue[],
  edit: AttributeEdit,
  signal: AbortSignal,
  report: (report: JobReport) => void,
): Promise<BulkOutcome> {
  const only: Guard =
    edit.value === undefined
      ? {
          condition: 'attribute_exists(#key) AND attribute_not_exists(#name)',
          names: { '#key': firstKey(table) },
          values: {},
        }
      : { condition: '#name = :now', names: {}, values: { ':now': edit.value } }
  const changeOf = ({ key, value }: EarlierValue): Change => ({ key, edit: { name: edit.name, value }, only })
  return changeEach(call, table, { size: earlier.length, of: earlier, changeOf }, signal, report)
}

interface Guard {
  readonly condition: string
  readonly names: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, AttributeValue>>
}

interface Change {
  readonly key: Item
  readonly edit: AttributeEdit
  readonly only: Guard
}

/** Made one by one, where there may be very many. */
interface Changes<Element> {
  readonly size: number
  readonly of: Iterable<Element>
  readonly changeOf: (element: Element) => Change
}

async function changeEach<Element>(
  call: Call,
  table: TableDescription,
  { size, of, changeOf }: Changes<Element>,
  signal: AbortSignal,
  report: (report: JobReport) => void,
): Promise<BulkOutcome> {
  const changed: EarlierValue[] = []
  let skipped = 0
  const tell = (): void => report({ done: changed.length + skipped, total: size })
  tell()
  try {
    await inParallel(of, 6, signal, async (element) => {
      const change = changeOf(element)
      const { key, edit } = change
      try {
        const { Attributes } = await call<{ Attributes?: Item }>('UpdateItem', updateOf(table, change), signal)
        changed.push({ key, value: attributeOf(Attributes ?? {}, edit.name) })
      } catch (error) {
        if (!(error instanceof ApiError) || error.name !== 'ConditionalCheckFailedException') throw error
        skipped++
      }
      tell()
    })
  } catch (error) {
    if (!signal.aborted) throw new BulkFailure(error, { changed, skipped })
  }
  return { changed, skipped }
}

/** What stopped it, and what had been changed by then. */
export class BulkFailure extends Error {
  override readonly name = 'BulkFailure'
  readonly outcome: BulkOutcome

  constructor(cause: unknown, outcome: BulkOutcome) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.outcome = outcome
  }
}

function updateOf(table: TableDescription, { key, edit, only }: Change): object {
  const values = { ...only.values, ...(edit.value !== undefined && { ':value': edit.value }) }
  return {
    TableName: table.TableName,
    Key: key,
    UpdateExpression: edit.value === undefined ? 'REMOVE #name' : 'SET #name = :value',
    ConditionExpression: only.condition,
    ExpressionAttributeNames: { ...only.names, '#name': edit.name },
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    // Of what is set, what it was. What is removed is told as well.
    ReturnValues: 'UPDATED_OLD',
  }
}

function firstKey(table: TableDescription): string {
  return table.KeySchema[0]?.AttributeName ?? ''
}
