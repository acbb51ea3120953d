import { describe, expect, test } from 'vitest'
import { OptionError, readOptions } from './options.ts'

describe('options', () => {
  test('by default everything is measured', () => {
    expect(readOptions([])).toMatchObject({
      itemCount: 1_000_000,
      parts: [
        'http',
        'embedded',
        'model',
        'changes',
        'links',
        'triggers',
        'backups',
        'growth',
        'import',
        'postgres',
        'costs',
        'metering',
        'auth',
        'startup',
        'waits',
      ],
      assert: false,
    })
  })

  test('operations alone leave out what takes long', () => {
    expect(readOptions(['--only', 'getitem,Query'])).toMatchObject({
      operations: ['GetItem', 'Query'],
      parts: ['http', 'embedded'],
    })
  })

  test('a part alone measures all its operations', () => {
    const options = readOptions(['--only', 'growth'])
    expect(options?.parts).toEqual(['growth'])
    expect(options?.operations).toContain('TransactWriteItems')
  })

  test('help is no run', () => {
    expect(readOptions(['--help'])).toBeUndefined()
  })

  test.each([['--only', 'scan'], ['--items', 'many'], ['--seconds', '0'], ['--fast']])(
    '%s %s is refused',
    (...words) => {
      expect(() => readOptions(words)).toThrow(OptionError)
    },
  )
})
