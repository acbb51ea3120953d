import { expect, test } from 'vitest'
import type { Store } from '../store/store.ts'
import type { BranchBook } from './branch-book.ts'
import type { BranchLayout } from '../layout/branch-layout.ts'
import { MainStore } from './main-store.ts'

test('what the store below can do beyond the contract, the data above it can too', async () => {
  const below = {
    probe: () => Promise.resolve(),
    whatIsMissing: () => Promise.resolve('A node is away.'),
  } as Partial<Store> as Store
  const main = new MainStore(below, {} as BranchBook, {} as BranchLayout)
  expect(await main.whatIsMissing?.()).toBe('A node is away.')
  expect(main.follow).toBeUndefined()
})
