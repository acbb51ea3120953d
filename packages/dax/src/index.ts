export { DaxServer, type DaxOptions } from './connections/dax-server.ts'
export type { DaxDoor, DaxTable } from './dax-door.ts'
