import type { Operation } from '../../client/request-types.ts'

/** What one pattern did on generated data. Figures are means over its calls unless they say otherwise. */
export interface PatternMeasurement {
  readonly pattern: string
  readonly calls: number
  /** Requests that a call sends, at most. */
  readonly requests: number
  readonly operations: readonly Operation[]
  /** Whether a call is a single request that reads or writes by key. */
  readonly isOneKeyedRequest: boolean
  readonly itemsRead: number
  readonly itemsReturned: number
  readonly bytesRead: number
  readonly bytesReturned: number
  readonly readUnits: number
  readonly writeUnits: number
  readonly maxReadUnits: number
  readonly maxWriteUnits: number
  /** By the name of the table or index. */
  readonly places: readonly PlaceUnits[]
  readonly medianMilliseconds: number
  /** How many items of each entity a call returned, at most. Items of no pattern entity are included. */
  readonly entities: Readonly<Record<string, number>>
  readonly order?: OrderMeasurement
  /** Whether the result ended within its first page. */
  readonly isComplete: boolean
  /** Present where the model declares more or fewer items for a call than were generated; the units are for `toItems`. */
  readonly scaled?: { readonly fromItems: number; readonly toItems: number }
  /** Why it is wrong: the database or the library rejected it. */
  readonly failure?: string
  /** Why it could not be tried: the generated data has nothing for it. That says nothing about the pattern. */
  readonly untried?: string
}

/** Whether the figures of a pattern are those of calls that were made. */
export function wasRun(measured: PatternMeasurement | undefined): measured is PatternMeasurement {
  return measured !== undefined && measured.failure === undefined && measured.untried === undefined
}

export interface PlaceUnits {
  readonly place: string
  readonly readUnits: number
  readonly writeUnits: number
}

export interface OrderMeasurement {
  /** `placedAt, descending`. */
  readonly text: string
  /** Whether the values came in that order. */
  readonly isKept: boolean
}
