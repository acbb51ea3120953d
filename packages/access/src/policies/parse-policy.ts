import { parseConditions } from './parse-conditions.ts'
import { parsePrincipal } from './parse-principal.ts'
import { checkActions } from './check-actions.ts'
import { checkResources } from './check-resources.ts'
import { isRecord, textsOf } from './json-shapes.ts'
import { MalformedPolicy } from './malformed-policy.ts'
import type { Patterns, PolicyDocument, Statement } from './policy-document.ts'

/** What a policy belongs to decides which elements it must and must not have. */
export type PolicyKind = 'identity' | 'resource' | 'trust'

export interface ParseOptions {
  /** Managed policies must have the current version; inline and resource policies may have the older one. */
  readonly requireCurrentVersion?: boolean
}

/** Reads and checks a policy document. What is wrong is said in IAM's words and in IAM's order, as it was observed:
 *  syntax, version, "legacy parsing", statement ids, actions, resources. */
export function parsePolicy(text: string, kind: PolicyKind, options: ParseOptions = {}): PolicyDocument {
  assertBounded(text)
  const document = parseJson(text)
  for (const element of Object.keys(document)) if (!topElements.has(element)) throw syntaxErrors()
  const { Version: version = '2008-10-17', Id: id, Statement: sent } = document
  if (version !== '2008-10-17' && version !== '2012-10-17') throw syntaxErrors()
  if (id !== undefined && typeof id !== 'string') throw syntaxErrors()
  const list = Array.isArray(sent) ? sent : [sent]
  if (list.length === 0) throw syntaxErrors()
  const statements = list.map((statement) => parseStatement(statement))
  if (options.requireCurrentVersion === true && version !== '2012-10-17') {
    throw new MalformedPolicy('Policy document must be version 2012-10-17 or greater.')
  }
  checkStatements(statements, kind)
  return { version, ...(id === undefined ? {} : { id }), statements }
}

/** Far above what any API accepts; it bounds what parsing can cost for policies that come from files. */
const maxPolicyChars = 1 << 20

/** U+FFFF is no character, and stands for `?` in compiled patterns. */
function assertBounded(text: string): void {
  if (text.length > maxPolicyChars || text.includes('\uFFFF')) throw syntaxErrors()
}

function parseJson(text: string): Record<string, unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    // Also what is nested deeper than the parser can go.
    throw syntaxErrors()
  }
  if (!isRecord(parsed)) throw syntaxErrors()
  return parsed
}

const topElements = new Set(['Version', 'Id', 'Statement'])

const statementElements = new Set([
  'Sid',
  'Effect',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Principal',
  'NotPrincipal',
  'Condition',
])

function parseStatement(sent: unknown): Statement {
  if (!isRecord(sent)) throw syntaxErrors()
  for (const element of Object.keys(sent)) if (!statementElements.has(element)) throw syntaxErrors()
  const { Sid: sid, Effect: effect } = sent
  if (sid !== undefined && typeof sid !== 'string') throw syntaxErrors()
  if (typeof effect !== 'string' || !/^(allow|deny)$/i.test(effect)) throw syntaxErrors()
  const action = patternsOf(sent, 'Action')
  const resource = patternsOf(sent, 'Resource')
  const principal = parsePrincipal(sent, syntaxErrors)
  const conditions = parseConditions(sent['Condition'], syntaxErrors)
  if (effect !== 'Allow' && effect !== 'Deny') throw legacyParsing()
  return {
    ...(sid === undefined || sid === '' ? {} : { sid }),
    effect,
    action: action ?? { negated: false, patterns: [] },
    ...(resource === undefined ? {} : { resource }),
    ...(principal === undefined ? {} : { principal }),
    conditions,
  }
}

function patternsOf(sent: Record<string, unknown>, element: 'Action' | 'Resource'): Patterns | undefined {
  const plain = sent[element]
  const negated = sent[`Not${element}`]
  if (plain !== undefined && negated !== undefined) throw syntaxErrors()
  if (plain === undefined && negated === undefined) return undefined
  return { negated: negated !== undefined, patterns: textsOf(plain ?? negated, syntaxErrors) }
}

function checkStatements(statements: readonly Statement[], kind: PolicyKind): void {
  const resourceError = checkResources(statements)
  checkIds(statements)
  for (const { action } of statements) {
    if (action.patterns.length === 0) throw new MalformedPolicy('Policy statement must contain actions.')
  }
  if (resourceError !== undefined) throw resourceError
  checkActions(statements, kind)
  checkElements(statements, kind)
}

function checkIds(statements: readonly Statement[]): void {
  const known = new Set<string>()
  for (const { sid } of statements) {
    if (sid === undefined) continue
    if (known.has(sid)) throw new MalformedPolicy('Statement IDs (SID) in a single policy must be unique.')
    known.add(sid)
  }
}

function checkElements(statements: readonly Statement[], kind: PolicyKind): void {
  for (const { principal, resource, sid } of statements) {
    if (kind === 'identity') {
      if (principal !== undefined) throw new MalformedPolicy('Policy document should not specify a principal.')
      // IAM is stricter about the ids of its own policies than about those of resources.
      if (sid !== undefined && !/^[0-9A-Za-z]*$/.test(sid)) {
        throw new MalformedPolicy(
          'Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular expression [0-9A-Za-z]*',
        )
      }
    } else if (principal === undefined) throw new MalformedPolicy('Missing required field Principal')
    if (kind === 'trust') {
      if (resource !== undefined) throw new MalformedPolicy('Has prohibited field Resource')
    } else if (resource === undefined || resource.patterns.length === 0) {
      throw new MalformedPolicy('Policy statement must contain resources.')
    }
  }
}

function syntaxErrors(): MalformedPolicy {
  return new MalformedPolicy('Syntax errors in policy.')
}

function legacyParsing(): MalformedPolicy {
  return new MalformedPolicy('The policy failed legacy parsing')
}
