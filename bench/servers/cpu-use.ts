import { readFile } from 'node:fs/promises'

/** Linux counts a process's time in hundredths of a second wherever Node runs. */
const ticksPerSecond = 100

/** Processor time a process has used so far, where the system tells. Unlike throughput, it hardly changes when others
 *  are busy. */
export async function cpuSeconds(pid: number): Promise<number | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name of the program stands in parentheses and may itself contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return undefined
  }
}
