import { bodyText, type RequestTemplate } from '../workload/request-template.ts'

const preparedCount = 4_096

/** Inputs made before the clock runs. */
export function randomInputs(template: RequestTemplate): object[] {
  return Array.from({ length: preparedCount }, (_, number) =>
    inputOf(template, Math.floor(Math.random() * template.itemCount), number),
  )
}

export function* sequentialInputs(template: RequestTemplate, step: number): Generator<object> {
  for (let item = 0; item < template.itemCount; item += step) yield inputOf(template, item, item)
}

function inputOf(template: RequestTemplate, firstItem: number, requestNumber: number): object {
  return JSON.parse(bodyText(template, firstItem, requestNumber)) as object
}
