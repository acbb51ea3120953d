import { validationException } from '@hashrange/core'

/** A dimension can only be requested for one resource. */
export function assertDimensionHasResource(input: {
  readonly ResourceId?: string
  readonly ScalableDimension?: string
}): void {
  if (input.ScalableDimension !== undefined && input.ResourceId === undefined) {
    throw validationException('If you specify a scalable dimension, you must also specify a resource ID.')
  }
}
