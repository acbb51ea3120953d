import type { ServiceError } from '@hashrange/core'
import { invalidParameter } from './invalid-parameter.ts'

/** An attribute is a key of one type in all schemas, or a vector. */
export function attributeRedefined(existing: string, given: string): ServiceError {
  return invalidParameter(
    `Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. Existing schema: ${existing} New schema: ${given}`,
  )
}

export function keyElement(name: string, type: string | undefined, keyType: 'HASH' | 'RANGE'): string {
  return `Schema:[SchemaElement: key{${name}:${type}:${keyType}}]`
}

export function vectorElement(name: string, dimensions: number): string {
  return `VectorIndexSchema:[VectorAttribute: key{${name}:L:${dimensions}}]`
}
