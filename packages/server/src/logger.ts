/** Where the server reports what no client is told. */
export interface Logger {
  error(message: string, error: unknown): void
}

export const consoleLogger: Logger = {
  error: (message, error) => console.error(message, error),
}
