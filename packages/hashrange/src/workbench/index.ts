export { createWorkbench, type WorkbenchOptions } from './create-workbench.ts'
export { newWorkbenchToken } from '../workbench-token.ts'
export type { ApiCall, ApiHandler, WorkbenchContext } from './api-handler.ts'
