import type { ResourcePlan, Step } from '../apply/resource-plan.ts'
import type { JsonObject } from '../table-design.ts'

/** The services that resources are made with. */
export interface ResourcePort {
  call(target: string, operation: string, input: object): Promise<Readonly<Record<string, unknown>>>
}

/** A type of resource that is here. */
export interface ResourceKind {
  /** The name that its properties give it. Without one, it gets a name that is unique. */
  nameOf(properties: JsonObject): string | undefined
  /** The properties that cannot change without another resource. */
  replacedBy(before: JsonObject, after: JsonObject): readonly string[]
  /** Compares what is there with what is declared. Nothing is changed. */
  plan(port: ResourcePort, id: string, properties: JsonObject): Promise<ResourcePlan>
  /** Waits until it takes the next request. */
  settle?(port: ResourcePort, id: string, step: Step): Promise<void>
  /** A request with what is only known once others were made. */
  completed?(port: ResourcePort, id: string, step: Step): Promise<object>
  /** Its physical ID, where the service gives it one once it is made. */
  idOf?(port: ResourcePort, id: string, properties: JsonObject): Promise<string>
  remove(port: ResourcePort, id: string, properties: JsonObject): Promise<void>
  /** What `Fn::GetAtt` finds. */
  attributes(port: ResourcePort, id: string, properties: JsonObject): Promise<Readonly<Record<string, string>>>
}

export const dynamodbTarget = 'DynamoDB_20120810'

/** Carries a plan out, one request after the other. */
export async function carryOutPlan(
  kind: ResourceKind,
  port: ResourcePort,
  id: string,
  { steps }: ResourcePlan,
): Promise<void> {
  for (const step of steps) {
    const input = (await kind.completed?.(port, id, step)) ?? step.input
    await port.call(step.target ?? dynamodbTarget, step.operation, input)
    await kind.settle?.(port, id, step)
  }
}

export function changed(names: readonly string[], before: JsonObject, after: JsonObject): readonly string[] {
  return names.filter((name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null))
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
