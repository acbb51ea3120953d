/** What is wrong with a declaration, and where. */
export class DeclarationError extends Error {
  override readonly name = 'DeclarationError'

  constructor(where: string, problem: string) {
    super(`${where}: ${problem}`)
  }
}
