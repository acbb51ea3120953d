/** Where the server reports what no client is told. */
export interface Logger {
  error(message: string, error?: unknown): void
}

export const consoleLogger: Logger = {
  error: (...what) => console.error(...what),
}
