import type { PriceSheet } from './price-sheet.ts'
import { usEast1 } from './us-east-1.ts'

/** Ohio. */
export const usEast2: readonly PriceSheet[] = usEast1.map((sheet) => ({ ...sheet, region: 'us-east-2' }))
