import { afterAll, beforeAll, expect } from 'vitest'
import {
  createTableInput,
  openTestEngine,
  type Answer as TestAnswer,
  type TestEngine,
} from '../../testing/test-engine.ts'

interface Answer extends TestAnswer {
  readonly Items: NonNullable<TestAnswer['Items']>
  readonly NextToken?: string
}

export interface StatementTables {
  readonly execute: (statement: string, more?: object) => Promise<Answer>
  readonly put: (table: string, item: object) => Promise<unknown>
  readonly item: (table: string, pk: string, sk?: string) => Promise<unknown>
  /** The message with which a statement is refused. */
  readonly refusal: (statement: string, more?: object) => Promise<string>
}

/** The tables `things`, `numbers` and `songs`, for the statements of the tests of a file. */
export function useStatementTables(): StatementTables {
  let database: TestEngine
  const run = <T>(operation: string, input: unknown): Promise<T> => database.run<T>(operation, input)
  const put = (TableName: string, Item: object): Promise<unknown> => run('PutItem', { TableName, Item })

  beforeAll(async () => {
    database = await openTestEngine()
    await run('CreateTable', createTableInput('things', { hash: 'pk:S' }))
    await run('CreateTable', createTableInput('numbers', { hash: 'pk:N' }))
    const songs = createTableInput('songs', {
      hash: 'pk:S',
      range: 'sk:S',
      global: {
        all: { hash: ['g:S'] },
        some: { hash: ['g:S'], projection: ['shown'] },
        several: { hash: ['g:S', 'h:S'] },
      },
      local: { local: { range: 'l:S', projection: 'KEYS_ONLY' } },
    })
    await run('CreateTable', songs)
    for (const pk of ['o', 'p'])
      for (const sk of ['1', '2', '3']) await put('songs', { pk: { S: pk }, sk: { S: sk } })
  })

  afterAll(() => database.close())

  return {
    put,
    execute: (Statement, more = {}) => run('ExecuteStatement', { Statement, ...more }),
    item: async (TableName, pk, sk) => {
      const Key = { pk: { S: pk }, ...(sk !== undefined && { sk: { S: sk } }) }
      return (await run<TestAnswer>('GetItem', { TableName, Key })).Item
    },
    refusal: async (Statement, more = {}) => {
      const { code, message } = await database.refusal('ExecuteStatement', { Statement, ...more })
      expect(code).toBe('ValidationException')
      return message
    },
  }
}
