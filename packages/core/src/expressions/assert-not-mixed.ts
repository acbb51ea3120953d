import { ServiceError, validationException } from '../errors.ts'

/** The members of a request that are expressions, and the legacy members that say the same in another form. The order
 *  is that of the service's messages. */
export interface ParameterFamilies {
  readonly expressions: readonly ExpressionMember[]
  readonly legacy: readonly LegacyMember[]
}

type ExpressionMember =
  | 'ConditionExpression'
  | 'FilterExpression'
  | 'KeyConditionExpression'
  | 'ProjectionExpression'
  | 'UpdateExpression'

type LegacyMember =
  | 'AttributesToGet'
  | 'AttributeUpdates'
  | 'ConditionalOperator'
  | 'Expected'
  | 'KeyConditions'
  | 'QueryFilter'
  | 'ScanFilter'

type PlaceholderMember = 'ExpressionAttributeNames' | 'ExpressionAttributeValues'

/** The members of a request that are checked here. Each request has some of them, and others. */
export type MixableMembers = { readonly [Member in ExpressionMember | LegacyMember | PlaceholderMember]?: unknown }

/** By operation; BatchGetItem checks each table's part by itself. */
export const parameterFamilies = {
  GetItem: { expressions: ['ProjectionExpression'], legacy: ['AttributesToGet'] },
  BatchGetItem: { expressions: ['ProjectionExpression'], legacy: ['AttributesToGet'] },
  PutItem: { expressions: ['ConditionExpression'], legacy: ['Expected', 'ConditionalOperator'] },
  DeleteItem: { expressions: ['ConditionExpression'], legacy: ['Expected', 'ConditionalOperator'] },
  UpdateItem: {
    expressions: ['UpdateExpression', 'ConditionExpression'],
    legacy: ['AttributeUpdates', 'Expected', 'ConditionalOperator'],
  },
  Query: {
    expressions: ['ProjectionExpression', 'FilterExpression', 'KeyConditionExpression'],
    legacy: ['AttributesToGet', 'QueryFilter', 'ConditionalOperator', 'KeyConditions'],
  },
  Scan: {
    expressions: ['ProjectionExpression', 'FilterExpression'],
    legacy: ['AttributesToGet', 'ScanFilter', 'ConditionalOperator'],
  },
} as const satisfies Readonly<Record<string, ParameterFamilies>>

/** Rejects a request that uses both forms, a ConditionalOperator with nothing to join, and names or values without an
 *  expression that could use them. */
export function assertNotMixed(input: MixableMembers, families: ParameterFamilies): void {
  const expressions = families.expressions.filter((member) => isPresent(input[member]))
  const legacy = families.legacy.filter((member) => isPresent(input[member]) && !isAlone(input, member))
  if (expressions.length > 0 && legacy.length > 0) {
    throw validationException(
      'Can not use both expression and non-expression parameters in the same request: ' +
        `Non-expression parameters: {${legacy.join(', ')}} Expression parameters: {${expressions.join(', ')}}`,
    )
  }
  if (isPresent(input.ExpressionAttributeNames) && expressions.length === 0) {
    throw validationException('ExpressionAttributeNames can only be specified when using expressions')
  }
  assertValuesHaveExpression(input, families)
  assertConditionsToJoin(input)
}

function assertConditionsToJoin(input: MixableMembers): void {
  if (!isPresent(input.ConditionalOperator)) return
  const conditions = Object.keys(input.Expected ?? input.QueryFilter ?? input.ScanFilter ?? {}).length
  if (conditions === 0) {
    throw validationException('ConditionalOperator cannot be used without Filter or Expected')
  }
  if (conditions === 1) {
    throw validationException(
      'ConditionalOperator can only be used when Filter or Expected has two or more elements',
    )
  }
}

/** A projection has no values. */
function assertValuesHaveExpression(input: MixableMembers, { expressions }: ParameterFamilies): void {
  const withValues = expressions.filter((member) => member !== 'ProjectionExpression')
  if (withValues.length === 0 || !isPresent(input.ExpressionAttributeValues)) return
  if (withValues.some((member) => isPresent(input[member]))) return
  throw new ValuesWithoutExpression(withValues)
}

/** ExpressionAttributeValues in a request that has no expression. */
export class ValuesWithoutExpression extends ServiceError {
  /** The refusal without the members that are missing. */
  readonly summary = 'ExpressionAttributeValues can only be specified when using expressions'

  constructor(missing: readonly ExpressionMember[]) {
    super(
      'ValidationException',
      `ExpressionAttributeValues can only be specified when using expressions: ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} null`,
    )
  }
}

/** KeyConditions may go with expressions of other kinds. */
function isAlone(input: MixableMembers, member: LegacyMember): boolean {
  return member === 'KeyConditions' && !isPresent(input.KeyConditionExpression)
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
