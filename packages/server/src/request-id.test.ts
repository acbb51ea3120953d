import { expect, test } from 'vitest'
import { nextRequestId } from './request-id.ts'

test("ids are unique and in the service's form", () => {
  const ids = Array.from({ length: 5000 }, () => nextRequestId())
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[0-9A-Z]{52}$/)
})
