import { addProperty, removeProperty, renameProperty, setProperty } from './edit-object.ts'
import type { ModelOutline, PatternPlace } from './model-outline.ts'
import { stepsOf } from './read-forms.ts'
import { propertiesOf } from './syntax.ts'
import { edited } from './text-edit.ts'

/** Adds a step to a transaction, such as `Order.create`. */
export function addStep({ source }: ModelOutline, { chain }: PatternPlace, step: string): string {
  const steps = stepsOf(chain?.links[0])
  return steps === undefined ? source.text : edited(source.text, addProperty(source, steps, step, '1'))
}

/** How many there typically are of a step. */
export function setStepCount(
  { source }: ModelOutline,
  { chain }: PatternPlace,
  step: string,
  count: number,
): string {
  const steps = stepsOf(chain?.links[0])
  return steps === undefined ? source.text : edited(source.text, setProperty(source, steps, step, String(count)))
}

/** Makes a step another one, unless the transaction has that already. */
export function setStep({ source }: ModelOutline, { chain }: PatternPlace, old: string, step: string): string {
  const steps = stepsOf(chain?.links[0])
  if (steps === undefined || propertiesOf(source, steps).some(({ name }) => name === step)) return source.text
  return edited(source.text, renameProperty(source, steps, old, step))
}

/** Takes a step away. The last one stays: a transaction needs one. */
export function removeStep({ source }: ModelOutline, { chain }: PatternPlace, step: string): string {
  const steps = stepsOf(chain?.links[0])
  const all = steps === undefined ? [] : propertiesOf(source, steps)
  const found = all.find(({ name }) => name === step)
  return found === undefined || all.length === 1
    ? source.text
    : edited(source.text, removeProperty(source, found.node))
}
