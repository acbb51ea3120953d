export { createWorkbench, type WorkbenchOptions } from './create-workbench.ts'
export type { ApiCall, ApiHandler, WorkbenchContext } from './api-handler.ts'
