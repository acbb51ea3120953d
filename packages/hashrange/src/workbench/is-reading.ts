/** Whether an operation changes nothing. What is not known to be harmless counts as a write. */
export function isReading(operation: string, body: unknown): boolean {
  if (reads.has(operation) || /^(Describe|List|Simulate)[A-Z]/.test(operation)) return true
  switch (operation) {
    case 'ExecuteStatement':
      return isSelect(memberOf(body, 'Statement'))
    case 'BatchExecuteStatement':
      return areSelects(memberOf(body, 'Statements'))
    case 'ExecuteTransaction':
      return areSelects(memberOf(body, 'TransactStatements'))
    default:
      return false
  }
}

const reads: ReadonlySet<string> = new Set([
  'BatchGetItem',
  'GetCallerIdentity',
  'GetGroup',
  'GetInsightRuleReport',
  'GetItem',
  'GetMetricData',
  'GetMetricStatistics',
  'GetRecords',
  'GetPolicy',
  'GetResourcePolicy',
  'GetRole',
  'GetShardIterator',
  'GetUser',
  'Query',
  'Scan',
  'SearchVectors',
  'TransactGetItems',
])

function areSelects(statements: unknown): boolean {
  return Array.isArray(statements) && statements.every((entry) => isSelect(memberOf(entry, 'Statement')))
}

function isSelect(statement: unknown): boolean {
  return typeof statement === 'string' && /^\s*(select|exists)\b/i.test(statement)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}
