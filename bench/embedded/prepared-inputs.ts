import { bodyText, type RequestTemplate } from '../workload/request-template.ts'

const preparedFields = 8_192

/** Inputs made before the clock runs; fewer of large ones, so that the process's memory stays the database's. */
export function randomInputs(template: RequestTemplate): object[] {
  const inputCount = Math.ceil(preparedFields / template.fields.length)
  return Array.from({ length: inputCount }, (_, number) =>
    inputOf(template, Math.floor(Math.random() * template.itemCount), number),
  )
}

export function* sequentialInputs(template: RequestTemplate, step: number): Generator<object> {
  for (let item = 0; item < template.itemCount; item += step) yield inputOf(template, item, item)
}

function inputOf(template: RequestTemplate, firstItem: number, requestNumber: number): object {
  return JSON.parse(bodyText(template, firstItem, requestNumber)) as object
}
