import { useMemo } from 'react'
import { useTable, useTableNames } from '../../api/queries.ts'
import type { AttributeValue } from '../../api-types.ts'
import type { ServiceRequest } from '../../codegen/service-request.ts'
import { useUrlState } from '../../state/url-state.ts'
import { partiqlSchema } from './partiql-url.ts'
import { isScan, readStatement } from './read-statement.ts'
import { splitStatements, type StatementText } from './split-statements.ts'
import { readParameters } from './statement-parameters.ts'

export type AskedStatements = ReturnType<typeof useAskedStatements>

/** The statements in the address, what is known of them, and the requests they make. */
export function useAskedStatements(chosenTable: string | undefined) {
  const [state, setState] = useUrlState(partiqlSchema)
  const statements = useMemo(() => splitStatements(state.s), [state.s])
  const known = useMemo(() => statements.map(readStatement), [statements])
  const tableName = known.find((each) => each.tableName !== undefined)?.tableName ?? chosenTable
  // While a name is being typed there is no such table yet.
  const { data: names } = useTableNames()
  const { data: table } = useTable(
    tableName !== undefined && names?.includes(tableName) === true ? tableName : undefined,
  )
  const parameters = useMemo(() => readParameters(statements, state.p), [statements, state.p])
  const requests = useMemo(
    () =>
      statements.map((statement, at) =>
        requestOf(statement, parameters[at]?.values ?? [], state.limit, state.consistent),
      ),
    [statements, parameters, state.limit, state.consistent],
  )
  const scans = statements.map(
    (statement, at) =>
      known[at]?.kind === 'select' &&
      table !== undefined &&
      known[at].tableName === table.TableName &&
      isScan(statement, table, parameters[at]?.values ?? []),
  )
  return {
    state,
    setState,
    statements,
    known,
    tableName,
    table,
    requests,
    /** By statement. */
    scans,
    hasWrites: known.some(({ isWrite }) => isWrite),
    parameterCount: statements.reduce((sum, { parameterCount }) => sum + parameterCount, 0),
    parameterProblem: parameters.find(({ problem }) => problem !== undefined)?.problem,
    title: statements.map((each) => inOneLine(each.text)).join('; '),
    suggestion: inOneLine(statements[0]?.text ?? ''),
  }
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

function requestOf(
  { text: Statement }: StatementText,
  values: readonly AttributeValue[],
  limit: string,
  isConsistent: boolean,
): ServiceRequest {
  const isSelect = /^\s*select\b/i.test(Statement)
  return {
    operation: 'ExecuteStatement',
    input: {
      Statement,
      ...(values.length > 0 && { Parameters: values }),
      ...(isConsistent && isSelect && { ConsistentRead: true }),
      ...(limit !== '' && Number(limit) > 0 && isSelect && { Limit: Number(limit) }),
    },
  }
}
