export { readNoSqlWorkbench } from './read-nosql-workbench.ts'
export { readDataModel } from './read-data-model.ts'
export { modelSource } from './model-source.ts'
export type { ImportedModel } from './import-model.ts'
