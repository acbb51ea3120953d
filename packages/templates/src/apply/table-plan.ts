import type { TableDesign } from '../table-design.ts'
import type { ResourcePlan } from './resource-plan.ts'

/** What has to be done for a table to be as it is declared. To replace it is to lose its items. */
export interface TablePlan extends ResourcePlan {
  readonly table: TableDesign
}
