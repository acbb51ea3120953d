import type { Credentials } from './sign-request.ts'
import type { RequestTemplate } from '../workload/request-template.ts'

/** What the generator is asked to do: for some `seconds`, or until some `requests` are answered. */
export interface LoadOrder {
  readonly port: number
  /** Of further servers: the connections are divided between all. */
  readonly otherPorts?: readonly number[]
  readonly template: RequestTemplate
  readonly connections: number
  readonly seconds?: number
  readonly requests?: number
  /** Who signs the requests; without it, signatures are made up. */
  readonly credentials?: Credentials
}
