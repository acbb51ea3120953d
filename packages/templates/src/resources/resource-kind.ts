import type { ResourcePlan, Step } from '../apply/resource-plan.ts'
import { dynamodbTarget, type ResourcePort } from '../apply/resource-port.ts'
import type { JsonObject } from '../table-design.ts'

/** A type of resource that is here. */
export interface ResourceKind {
  /** The name that its properties give it. Without one, it gets a name that is unique. */
  nameOf(properties: JsonObject): string | undefined
  /** The properties that cannot change without another resource. */
  replacedBy(before: JsonObject, after: JsonObject): readonly string[]
  /** Compares what is there with what is declared. Nothing is changed. */
  plan(port: ResourcePort, id: string, properties: JsonObject): Promise<ResourcePlan>
  /** Sends the request of a step, and waits until the resource takes the next one. Without it, the request is sent as it is. */
  take?(port: ResourcePort, id: string, step: Step): Promise<void>
  /** Its physical ID, where the service gives it one once it is made. */
  idOf?(port: ResourcePort, id: string, properties: JsonObject): Promise<string>
  remove(port: ResourcePort, id: string, properties: JsonObject): Promise<void>
  /** What `Fn::GetAtt` finds. */
  attributes(port: ResourcePort, id: string, properties: JsonObject): Promise<Readonly<Record<string, string>>>
}

/** Carries a plan out, one request after the other. */
export async function carryOutPlan(
  kind: ResourceKind,
  port: ResourcePort,
  id: string,
  { steps }: ResourcePlan,
): Promise<void> {
  for (const step of steps) await (kind.take?.(port, id, step) ?? sendStep(port, step))
}

export async function sendStep(port: ResourcePort, { target, operation, input }: Step): Promise<void> {
  await port.call(target ?? dynamodbTarget, operation, input)
}

export function changed(names: readonly string[], before: JsonObject, after: JsonObject): readonly string[] {
  return names.filter((name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null))
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
