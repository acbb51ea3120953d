export { planMigration } from './plan-migration.ts'
export type { MigrationPlan, PlanOptions, Step } from './plan-migration.ts'
export type { Difference, DifferenceKind } from './difference.ts'
export { planMarkdown, planText } from './plan-text.ts'
