import type { Transacting } from '../catalog/transact-on-tables.ts'
import type { BackgroundHost } from '../work/background-host.ts'

/** What it takes to export and import tables. */
export interface TransferHost extends Transacting, BackgroundHost {}
