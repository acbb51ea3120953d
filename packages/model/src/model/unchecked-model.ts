import { makeModel } from './make-model.ts'
import type { model as checked } from './model.ts'

/** As `model`, for bundles: it does not say what is wrong with a definition. */
export const model: typeof checked = (specification) => makeModel(specification) as never
