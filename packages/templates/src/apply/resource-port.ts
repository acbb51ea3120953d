/** What a service answers, as JSON. */
export type Answer = Readonly<Record<string, unknown>>

/** The services that resources are made with. */
export interface ResourcePort {
  /** Asks in the region of the template, unless another one is named. */
  call(target: string, operation: string, input: object, region?: string): Promise<Answer>
}

export const dynamodbTarget = 'DynamoDB_20120810'
export const autoScalingTarget = 'AnyScaleFrontendService'

/** The same services in another region. */
export function servicesIn(port: ResourcePort, region: string | undefined): ResourcePort {
  return region === undefined
    ? port
    : { call: (target, operation, input) => port.call(target, operation, input, region) }
}
