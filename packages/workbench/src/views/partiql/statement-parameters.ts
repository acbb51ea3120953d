import type { AttributeValue } from '../../api-types.ts'
import { TextMistake } from '../../values/json-text.ts'
import { valueTypes } from '../query/draft/draft.ts'
import { parseValue } from '../query/draft/value-text.ts'
import type { StatementText } from './split-statements.ts'

/** A value for a question mark, as it is typed. */
export interface ParameterText {
  readonly type: (typeof valueTypes)[number]
  readonly value: string
}

export const noParameters: readonly ParameterText[] = []
export const emptyParameter: ParameterText = { type: 'S', value: '' }
export const mostParameters = 50

export interface StatementParameters {
  readonly values: readonly AttributeValue[]
  readonly problem: string | undefined
}

/** The values of each statement's question marks, which take the parameters in their order. */
export function readParameters(
  statements: readonly StatementText[],
  texts: readonly ParameterText[],
): StatementParameters[] {
  let taken = 0
  return statements.map(({ parameterCount }) => {
    const values: AttributeValue[] = []
    let problem: string | undefined
    for (let at = taken; at < taken + parameterCount; at++) {
      const { type, value } = texts[at] ?? emptyParameter
      try {
        values.push(parseValue(value, type))
      } catch (error) {
        if (!(error instanceof TextMistake)) throw error
        problem ??= `Parameter ${String(at + 1)}: ${error.message}`
      }
    }
    taken += parameterCount
    return { values, problem }
  })
}

/** What an address says of them, whatever it holds. */
export function checkParameters(value: unknown): readonly ParameterText[] {
  if (!Array.isArray(value)) return noParameters
  return value.slice(0, mostParameters).map((entry: unknown) => {
    const { type, value: text } = (entry ?? {}) as Readonly<Record<string, unknown>>
    return {
      type: valueTypes.find((each) => each === type) ?? 'S',
      value: typeof text === 'string' ? text : '',
    }
  })
}
