import type { OperationName } from '../workload/operations.ts'
import type { RequestTemplate } from '../workload/request-template.ts'

export type EmbeddedOrder =
  | { readonly kind: 'fill'; readonly tableName: string; readonly itemCount: number }
  | {
      readonly kind: 'run'
      readonly way: EmbeddedWay
      readonly operation: OperationName
      readonly template: RequestTemplate
      readonly seconds: number
    }

/** `direct` calls the database, `client` goes through the AWS SDK's client to the same one. */
export type EmbeddedWay = 'direct' | 'client'
