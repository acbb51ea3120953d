import type { PriceSheet } from './price-sheet.ts'
import { usEast1 } from './us-east-1.ts'

/** Oregon. */
export const usWest2: readonly PriceSheet[] = usEast1.map((sheet) => ({ ...sheet, region: 'us-west-2' }))
