import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { ModelError } from '../errors.ts'

export function refusal(path: string, expected: string, value: unknown): ModelError {
  return new ModelError('INVALID_VALUE', `${path} must be ${expected}, not ${shown(value)}.`, { attribute: path })
}

/** A value as a message shows it. */
export function shown(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (typeof value === 'function' || typeof value === 'symbol') return typeof value
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Uint8Array) return `${value.length} bytes`
  let text: string
  try {
    text = JSON.stringify(value, (_name, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member))
  } catch {
    text = Object.prototype.toString.call(value)
  }
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

export function mismatch(path: string, expected: string, stored: AttributeValue): never {
  throw new ModelError(
    'INVALID_ITEM',
    `${path} is stored as ${Object.keys(stored).join()}, but the model declares ${expected}. Correct the model, or migrate the item.`,
    { attribute: path },
  )
}

/** For an item that lacks what the model says every item has. */
export function absentValue(path: string): ModelError {
  return new ModelError(
    'INVALID_ITEM',
    `${path} is missing in a stored item, but the model declares it as required. Make it optional, give it a default, or set it in the items that lack it.`,
    { attribute: path },
  )
}
