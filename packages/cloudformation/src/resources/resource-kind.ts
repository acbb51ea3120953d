import type { JsonObject } from '@hashrange/templates'

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
  isThere(port: ResourcePort, id: string, properties: JsonObject): Promise<boolean>
  /** Makes it as declared, whatever is there of it: it may be repeated. Returns its physical ID. */
  put(port: ResourcePort, id: string, properties: JsonObject): Promise<string>
  remove(port: ResourcePort, id: string, properties: JsonObject): Promise<void>
  /** What `Fn::GetAtt` finds. */
  attributes(port: ResourcePort, id: string, properties: JsonObject): Promise<Readonly<Record<string, string>>>
}

export function changed(names: readonly string[], before: JsonObject, after: JsonObject): readonly string[] {
  return names.filter((name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null))
}

const missing = new Set(['ResourceNotFoundException', 'ResourceNotFound', 'ObjectNotFoundException'])

/** Undefined where what is asked for is not there. */
export async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Error && 'code' in error && missing.has(String(error.code))) return undefined
    throw error
  }
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
