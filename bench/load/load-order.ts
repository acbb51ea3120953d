import type { RequestTemplate } from '../workload/request-template.ts'

/** What the generator is asked to do: for some `seconds`, or until some `requests` are answered. */
export interface LoadOrder {
  readonly port: number
  readonly template: RequestTemplate
  readonly connections: number
  readonly seconds?: number
  readonly requests?: number
}
