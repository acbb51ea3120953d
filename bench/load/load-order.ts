import type { Credentials } from './sign-request.ts'
import type { RequestTemplate } from '../workload/request-template.ts'

/** What the generator is asked to do: for some `seconds`, or until some `requests` are answered. */
export interface LoadOrder {
  readonly port: number
  /** Of a second server, for half of the connections. */
  readonly otherPort?: number
  readonly template: RequestTemplate
  readonly connections: number
  readonly seconds?: number
  readonly requests?: number
  /** Who signs the requests; without it, signatures are made up. */
  readonly credentials?: Credentials
}
