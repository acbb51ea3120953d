/** Runs `load`, which loads a file of the user, and says so if the process ends meanwhile: Node.js would say nothing about
 *  the file, and an exit code of 0 would mean success. */
export async function reportUnfinished<T>(file: string, load: () => Promise<T>): Promise<T> {
  process.once('beforeExit', reportEndless)
  process.once('exit', reportExit)
  try {
    return await load()
  } finally {
    process.off('beforeExit', reportEndless)
    process.off('exit', reportExit)
  }

  /** Nothing is left to do, and the file is still being loaded. */
  function reportEndless(): void {
    process.off('exit', reportExit)
    console.error(
      `hashrange: ${file} does not finish loading: it waits for something that never happens. Look for an await outside of functions.`,
    )
    process.exit(2)
  }

  function reportExit(code: number): void {
    console.error(
      `hashrange: ${file} ended the process with exit code ${code} while it was loaded. Remove its call of process.exit().`,
    )
    process.exitCode = 2
  }
}
