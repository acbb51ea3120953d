import { describe, expect, test } from 'vitest'
import { RequestWriter } from '../load/request-writer.ts'
import { itemsPerBatch, itemsPerPartition, loadInput, operationInput, operationNames } from './operations.ts'
import { bodyText, requestTemplate } from './request-template.ts'

const itemCount = 10_000

describe('a request template', () => {
  test.each(operationNames)('of %s leaves no mark behind', (operation) => {
    const template = requestTemplate(operation, operationInput(operation, 'orders', itemCount), itemCount)
    const text = bodyText(template, itemCount - 1, 7)
    expect(text).not.toMatch(/[<>]\w|\+\d/)
    expect(JSON.parse(text)).toBeTypeOf('object')
  })

  test('writes the same bytes in place as it renders as text', () => {
    const template = requestTemplate('PutItem', operationInput('PutItem', 'orders', itemCount), itemCount)
    const writer = new RequestWriter(template, 8_000)
    for (const item of [9_999, 0, 4_321]) {
      writer.fill(item, item + 1)
      expect(bodyOf(writer.bytes)).toBe(bodyText(template, item, item + 1))
    }
  })

  test('announces the length of its body', () => {
    const template = requestTemplate('GetItem', operationInput('GetItem', 'orders', itemCount), itemCount)
    const { bytes } = new RequestWriter(template, 8_000)
    expect(bytes.toString()).toContain(`Content-Length: ${bodyOf(bytes).length}\r\n`)
  })

  test('counts items into partitions', () => {
    const template = requestTemplate('GetItem', operationInput('GetItem', 'orders', itemCount), itemCount)
    const body = JSON.parse(bodyText(template, 3 * itemsPerPartition + 5, 0)) as { Key: unknown }
    expect(body.Key).toEqual({ customer: { S: 'customer#00000003' }, order: { S: 'order#00000005' } })
  })
})

describe('a batch', () => {
  test.each([0, itemCount - 1])('names no item twice when it begins with item %i', (firstItem) => {
    for (const input of [operationInput('BatchWriteItem', 'orders', itemCount), loadInput('orders')]) {
      const body = bodyText(requestTemplate('BatchWriteItem', input, itemCount), firstItem, 0)
      const keys = body.match(/customer#\d+"},"order":{"S":"order#\d+/g)
      expect(new Set(keys).size).toBe(itemsPerBatch)
    }
  })
})

function bodyOf(request: Buffer): string {
  return request.toString().split('\r\n\r\n')[1] ?? ''
}
