import { expect, test } from 'vitest'
import { closestWord } from './closest-word.ts'

const commands = ['start', 'copy', 'export', 'import', 'backup', 'backups', 'init', 'check', 'cost', 'top']

test.each([
  ['strat', 'start'],
  ['stat', 'start'],
  ['chekc', 'check'],
  ['exports', 'export'],
  ['backup', 'backup'],
  ['imp', 'import'],
  ['costs', 'cost'],
])('%s is probably %s', (typed, meant) => {
  expect(closestWord(typed, commands)).toBe(meant)
})

test.each(['serve', 'tables', 'x', '', 'list', 'a word as long as none of them'])('%s is near to none', (typed) => {
  expect(closestWord(typed, commands)).toBeUndefined()
})
