/** Where the server reports what clients do not see. */
export interface Logger {
  error(message: string, error?: unknown): void
}

export const consoleLogger: Logger = {
  error: (...what) => console.error(...what),
}
