/** The commands about model files have flags of their own. */
export const modelCommands = [
  'check',
  'cost',
  'coverage',
  'derive',
  'generate',
  'infer',
  'init',
  'migrate',
  'plan',
] as const

export type ModelCommand = (typeof modelCommands)[number]

export function isModelCommand(word: string | undefined): word is ModelCommand {
  return (modelCommands as readonly (string | undefined)[]).includes(word)
}
