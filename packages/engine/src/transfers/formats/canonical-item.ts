import type { Item } from '@hashrange/core'

/** An item that has been checked, and whose JSON is what is stored of it. */
export class CanonicalItem {
  readonly json: string
  readonly sizeBytes: number
  /** Those of its attributes that the reader has asked for. */
  readonly attributes: Item

  constructor(json: string, sizeBytes: number, attributes: Item) {
    this.json = json
    this.sizeBytes = sizeBytes
    this.attributes = attributes
  }
}
