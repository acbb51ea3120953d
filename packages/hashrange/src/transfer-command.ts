/** The commands that move items or operate a server have flags of their own. */
export const transferCommands = [
  'apply',
  'backup',
  'backups',
  'branch',
  'compact',
  'conflicts',
  'copy',
  'export',
  'import',
  'region',
  'reset',
  'restore',
  'schema',
  'seed',
  'snapshot',
] as const

export type TransferCommand = (typeof transferCommands)[number]

export function isTransferCommand(word: string | undefined): word is TransferCommand {
  return (transferCommands as readonly (string | undefined)[]).includes(word)
}
