export * from './syntax.ts'
export { ExpressionScope, InvalidExpressionValue } from './expression-scope.ts'
export { compileCondition } from './compile-condition.ts'
export { compileProjection } from './compile-projection.ts'
export { compileUpdate } from './compile-update.ts'
export { keyTermsOf } from './key-terms.ts'
export { matchKeyConditions, type KeyRange } from './match-key-conditions.ts'
export { conditionCost } from './condition-cost.ts'
export { holds } from './holds.ts'
export { project } from './project.ts'
export { applyUpdate, updateTooLarge } from './apply-update.ts'
export { assertNoKeyUpdate, updatedAttributes } from './updated-attributes.ts'
export { assertFilterAvoidsKeys, assertKeysNotNested, conditionPaths, updatePaths } from './key-attribute-paths.ts'
export { assertNotMixed, parameterFamilies, ValuesWithoutExpression } from './assert-not-mixed.ts'
export {
  legacyExpected,
  legacyFilter,
  legacyKeyTerms,
  type ConditionalOperator,
  type LegacyOperator,
} from './legacy-conditions.ts'
export { legacyProjection, legacyUpdate } from './legacy-updates.ts'
