import { flag, json, number, oneOf, text } from '../../state/url-state.ts'
import { codeSchema } from '../query/results/code-pane.tsx'
import { checkParameters, noParameters } from './statement-parameters.ts'

/** All of the statements: their address reproduces them. */
export const partiqlSchema = {
  s: text(),
  p: json(noParameters, checkParameters),
  limit: text(),
  consistent: flag(),
  tab: oneOf(['results', 'code'], 'results'),
  ...codeSchema,
  calls: number(10),
  run: flag(),
}
