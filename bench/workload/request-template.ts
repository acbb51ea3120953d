import { itemsPerPartition } from './operations.ts'

/** A request body of constant length in which numbers of eight digits change from request to request, so that the load
 *  generator copies digits instead of writing JSON. Plain data: it is sent to the generator's process. */
export interface RequestTemplate {
  readonly operation: string
  /** Texts between the fields: one more than there are fields. */
  readonly texts: readonly string[]
  readonly fields: readonly Field[]
  readonly itemCount: number
  /** Which item a request begins with: any, or the one `step` after the last request's. */
  readonly choose: { readonly kind: 'random' } | { readonly kind: 'sequence'; readonly step: number }
}

export interface Field {
  readonly kind: FieldKind
  /** Which item, counted from the one the request begins with. */
  readonly offset: number
}

/** `customer` and `order` are an item's key, `product` its index partition, `request` a number no other request has. */
export type FieldKind = 'customer' | 'order' | 'product' | 'request'

export const fieldDigits = 8

const productCount = 1_000

/** Reads the marks in `input`, such as `<customer+3>`. */
export function requestTemplate(
  operation: string,
  input: object,
  itemCount: number,
  choose: RequestTemplate['choose'] = { kind: 'random' },
): RequestTemplate {
  const texts: string[] = []
  const fields: Field[] = []
  const json = JSON.stringify(input)
  let end = 0
  for (const mark of json.matchAll(/<(customer|order|product|request)\+(\d+)>/g)) {
    texts.push(json.slice(end, mark.index))
    fields.push({ kind: mark[1] as FieldKind, offset: Number(mark[2]) })
    end = mark.index + mark[0].length
  }
  texts.push(json.slice(end))
  return { operation, texts, fields, itemCount, choose }
}

export function fieldValue(
  template: RequestTemplate,
  field: Field,
  firstItem: number,
  requestNumber: number,
): number {
  const item = (firstItem + field.offset) % template.itemCount
  switch (field.kind) {
    case 'customer':
      return Math.floor(item / itemsPerPartition)
    case 'order':
      return item % itemsPerPartition
    case 'product':
      return item % productCount
    case 'request':
      return requestNumber
    default:
      throw new Error(`There is no field ${String(field.kind satisfies never)}.`)
  }
}

/** The whole body as text, where speed does not matter. */
export function bodyText(template: RequestTemplate, firstItem: number, requestNumber: number): string {
  let text = template.texts[0] ?? ''
  for (const [position, field] of template.fields.entries()) {
    const value = fieldValue(template, field, firstItem, requestNumber)
    text += String(value).padStart(fieldDigits, '0') + (template.texts[position + 1] ?? '')
  }
  return text
}

/** The length of every body. */
export function bodyBytes(template: RequestTemplate): number {
  return Buffer.byteLength(template.texts.join('0'.repeat(fieldDigits)))
}
