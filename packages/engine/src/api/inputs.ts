import type { BackupInputs } from './backup-inputs.ts'
import type { GlobalTableInputs } from './global-table-inputs.ts'
import type { ItemInputs } from './item-inputs.ts'
import type { StatementInputs } from './statement-inputs.ts'
import type { StreamInputs } from './stream-inputs.ts'
import type { TableInputs } from './table-inputs.ts'
import type { TransactionInputs } from './transaction-inputs.ts'
import type { TransferInputs } from './transfer-inputs.ts'

/** The input of an operation, as `readInput` returns it. */
export type InputOf<Operation extends string> = Operation extends keyof Inputs ? Inputs[Operation] : UntypedInput

/** The input of an operation that takes no parameters, or has no type of its own (yet). */
export type UntypedInput = Readonly<Record<string, unknown>>

interface Inputs
  extends
    ItemInputs,
    TransactionInputs,
    StatementInputs,
    TableInputs,
    StreamInputs,
    BackupInputs,
    TransferInputs,
    GlobalTableInputs {}
