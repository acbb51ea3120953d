import { validationException } from '@hashrange/core'
import { keyText } from '../store/key-text.ts'
import type { Key } from '../store/store.ts'

/** A transaction may have one action for each item. */
export function assertApart(keys: readonly Key[]): void {
  if (new Set(keys.map((key) => keyText(key))).size === keys.length) return
  throw validationException('Transaction request cannot include multiple operations on one item')
}
