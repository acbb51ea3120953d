export { DaxServer } from './connections/dax-server.ts'
export type { DaxDoor } from './dax-door.ts'
