export { DaxServer } from './connections/dax-server.ts'
export type { DaxDoor } from './dax-door.ts'
export type { KeptLists } from './wire/attribute-lists.ts'
