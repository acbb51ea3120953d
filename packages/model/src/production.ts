/** What a bundle for production gets in place of index.ts (the condition `production` of package.json): everything, without the
 *  checks of definitions. */
export * from './index.ts'
export { model } from './model/unchecked-model.ts'
