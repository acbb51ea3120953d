import { ServiceError } from '@hashrange/core'

/** Seconds below a minute, or whole minutes. */
export function assertPeriod(period: number, parameter: string): void {
  if ([1, 5, 10, 20, 30].includes(period) || (period >= 60 && period % 60 === 0)) return
  throw new ServiceError(
    'InvalidParameterValueException',
    `The value ${period} for parameter ${parameter} must be 1, 5, 10, 20, 30, or a multiple of 60.`,
  )
}
