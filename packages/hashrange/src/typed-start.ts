/** How `hashrange start` is typed here. Where npm runs it, as in a clone, the command alone is not found by the shell. */
export function typedStart(environment: Readonly<Record<string, string | undefined>>): string {
  const runBy = environment['npm_lifecycle_event']
  if (runBy === 'start') return 'npm start --'
  return runBy === 'npx' ? 'npx hashrange start' : 'hashrange start'
}
