export * from './syntax.ts'
export { ExpressionScope, InvalidExpressionValue } from './expression-scope.ts'
export { compileCondition } from './compile-condition.ts'
export { compileProjection } from './compile-projection.ts'
export { compileUpdate } from './compile-update.ts'
export { compileKeyCondition, keyTermsOf } from './key-terms.ts'
export { matchKeyConditions, type KeyRange, type KeyShape } from './match-key-conditions.ts'
export { conditionCost } from './condition-cost.ts'
export { holds } from './holds.ts'
export { project, projectionOf } from './project.ts'
export { readPath } from './read-path.ts'
export { applyUpdate, updateTooLarge, type UpdatedItem } from './apply-update.ts'
export { assertNoKeyUpdate, updatedAttributes } from './updated-attributes.ts'
export { assertFilterAvoidsKeys, assertKeysNotNested, conditionPaths, updatePaths } from './key-attribute-paths.ts'
export {
  assertNotMixed,
  parameterFamilies,
  ValuesWithoutExpression,
  type ParameterFamilies,
} from './assert-not-mixed.ts'
export {
  legacyExpected,
  legacyFilter,
  legacyKeyTerms,
  type ConditionalOperator,
  type LegacyCondition,
  type LegacyExpectation,
  type LegacyOperator,
} from './legacy-conditions.ts'
export { legacyProjection, legacyUpdate, type LegacyUpdate } from './legacy-updates.ts'
export { isReservedWord, reservedWords } from './reserved-words.ts'
