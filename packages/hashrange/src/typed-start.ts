/** How `hashrange start` is typed here. Where npm runs it, as in a clone, the command alone is not found by the shell. */
export function typedStart(environment: Readonly<Record<string, string | undefined>>): string {
  switch (environment['npm_lifecycle_event']) {
    case 'start':
      return 'npm start --'
    case 'npx':
      return 'npx hashrange start'
    default:
      return 'hashrange start'
  }
}
