import { fieldDigits, fieldValue, type RequestTemplate } from './request-template.ts'

/** The bytes of a template after a head that stays. Only digits change, so that the next ones are written over the last. */
export class TemplateWriter {
  readonly bytes: Buffer
  readonly #template: RequestTemplate
  readonly #offsets: readonly number[]

  constructor(template: RequestTemplate, head: string) {
    this.#template = template
    this.bytes = Buffer.from(head + template.texts.join('0'.repeat(fieldDigits)))
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
