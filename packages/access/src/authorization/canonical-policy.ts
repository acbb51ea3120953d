import { isRecord } from '../policies/json-shapes.ts'

type Json = Readonly<Record<string, unknown>>

/** A policy as the service shows it again: without blanks, its elements in one order, a list of one as its element, an account as its
 *  root user. Policies that mean the same so often are the same. */
export function canonicalPolicy({ Version = '2008-10-17', Id, Statement }: Json): string {
  const statements = Array.isArray(Statement) ? Statement : [Statement]
  return JSON.stringify({
    Version,
    Id,
    Statement: statements.map((statement: unknown) =>
      isRecord(statement) ? canonicalStatement(statement) : statement,
    ),
  })
}

/** What is absent stays absent: JSON has no word for it. */
function canonicalStatement(statement: Json): Json {
  return {
    Sid: statement['Sid'],
    Effect: statement['Effect'],
    Principal: canonicalPrincipal(statement['Principal']),
    NotPrincipal: canonicalPrincipal(statement['NotPrincipal']),
    Action: unlisted(statement['Action']),
    NotAction: unlisted(statement['NotAction']),
    Resource: unlisted(statement['Resource']),
    NotResource: unlisted(statement['NotResource']),
    Condition: statement['Condition'],
  }
}

function canonicalPrincipal(principal: unknown): unknown {
  if (!isRecord(principal)) return principal
  return Object.fromEntries(Object.entries(principal).map(([kind, names]) => [kind, unlisted(eachRoot(names))]))
}

function eachRoot(names: unknown): unknown {
  return Array.isArray(names) ? names.map(rootOf) : rootOf(names)
}

function rootOf(name: unknown): unknown {
  return typeof name === 'string' && /^\d{12}$/.test(name) ? `arn:aws:iam::${name}:root` : name
}

function unlisted(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value
}
