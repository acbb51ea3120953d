export { runFunction } from './run-function.ts'
