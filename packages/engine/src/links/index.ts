// What servers need that are linked to those of other regions. The others do not load it.
export { LinkRefusal } from './link-messages.ts'
export { Links } from './links.ts'
