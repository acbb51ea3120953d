export { DaxServer } from './connections/dax-server.ts'
export type { DaxBackend } from './dax-backend.ts'
export type { KeptLists } from './wire/attribute-lists.ts'
