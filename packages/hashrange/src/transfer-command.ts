/** The commands that move items have flags of their own. */
export type TransferCommand = 'copy' | 'export' | 'import'

export function isTransferCommand(word: string | undefined): word is TransferCommand {
  return word === 'copy' || word === 'export' || word === 'import'
}
