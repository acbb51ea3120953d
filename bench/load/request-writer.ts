import { fieldDigits, fieldValue, type RequestTemplate } from '../workload/request-template.ts'
import { requestHead } from './request-head.ts'

/** The bytes of one connection's requests. A connection has one request under way at a time, so that the next one is
 *  written over the last. */
export class RequestWriter {
  readonly bytes: Buffer
  readonly #template: RequestTemplate
  readonly #offsets: readonly number[]

  constructor(template: RequestTemplate, port: number) {
    this.#template = template
    const body = template.texts.join('0'.repeat(fieldDigits))
    const head = requestHead(port, template.operation, Buffer.byteLength(body))
    this.bytes = Buffer.from(head + body)
    const offsets: number[] = []
    let offset = Buffer.byteLength(head)
    for (const text of template.texts.slice(0, -1)) {
      offset += Buffer.byteLength(text)
      offsets.push(offset)
      offset += fieldDigits
    }
    this.#offsets = offsets
  }

  fill(firstItem: number, requestNumber: number): void {
    const { fields } = this.#template
    for (let position = 0; position < fields.length; position++) {
      const field = fields[position]
      if (field === undefined) return
      let rest = fieldValue(this.#template, field, firstItem, requestNumber)
      const start = this.#offsets[position] ?? 0
      for (let at = start + fieldDigits - 1; at >= start; at--) {
        this.bytes[at] = 0x30 + (rest % 10)
        rest = Math.floor(rest / 10)
      }
    }
  }
}
