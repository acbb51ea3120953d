/** How `hashrange start` is typed here. If npm runs it, as in a clone, the shell does not find the command alone. */
export function typedStart(environment: Readonly<Record<string, string | undefined>>): string {
  const runBy = environment['npm_lifecycle_event']
  if (runBy === 'start') return 'npm start --'
  return runBy === 'npx' ? 'npx hashrange start' : 'hashrange start'
}
