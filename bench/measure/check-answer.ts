import { itemsPerQuery, type OperationName } from '../workload/operations.ts'

/** A server that answers quickly with nothing must not win. */
export function checkAnswer(server: string, operation: OperationName, answer: Record<string, unknown>): void {
  const isRight =
    operation === 'GetItem'
      ? answer['Item'] !== undefined
      : operation === 'Query'
        ? answer['Count'] === itemsPerQuery
        : operation === 'BatchWriteItem'
          ? Object.keys(answer['UnprocessedItems'] ?? {}).length === 0
          : true
  if (!isRight) throw new Error(`${server} answered ${operation} with ${JSON.stringify(answer).slice(0, 500)}`)
}
