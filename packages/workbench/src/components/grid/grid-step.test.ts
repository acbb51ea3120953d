import { expect, test } from 'vitest'
import { gridStep } from './grid-step.ts'

const size = { rows: 100, columns: 5, pageRows: 20 }
const middle = { row: 50, column: 2 }

test('keys lead where they do in every grid, and never out of it', () => {
  expect(gridStep(middle, 'ArrowDown', false, size)).toEqual({ row: 51, column: 2 })
  expect(gridStep(middle, 'ArrowUp', true, size)).toEqual({ row: 0, column: 2 })
  expect(gridStep(middle, 'PageDown', false, size)).toEqual({ row: 70, column: 2 })
  expect(gridStep({ row: 95, column: 4 }, 'PageDown', false, size)).toEqual({ row: 99, column: 4 })
  expect(gridStep({ row: 0, column: 4 }, 'ArrowRight', false, size)).toEqual({ row: 0, column: 4 })
  expect(gridStep(middle, 'Home', false, size)).toEqual({ row: 50, column: 0 })
  expect(gridStep(middle, 'End', true, size)).toEqual({ row: 99, column: 4 })
  expect(gridStep(middle, 'x', false, size)).toBeUndefined()
})
