import { Placeholders as ModelPlaceholders } from '@hashrange/model/placeholders'
import type { AttributeValue } from '../../../api-types.ts'
import type { PathStep } from './attribute-path.ts'

/** The placeholders of the model's own client, with paths into documents. */
export class Placeholders extends ModelPlaceholders<AttributeValue> {
  path(steps: readonly PathStep[]): string {
    return steps
      .map((step, position) =>
        step.kind === 'index' ? `[${String(step.at)}]` : `${position === 0 ? '' : '.'}${this.name(step.name)}`,
      )
      .join('')
  }
}
