export { pipesOperations, pipesTarget } from './api/operations.ts'
export { pipesService } from './pipes-service.ts'
export { pipesWire } from './wire/wire-service.ts'
