import { readConfig } from '../config/read-config.ts'
import { configOf } from '../config/config-file.ts'
import { good, problem, type Finding } from './finding.ts'

/** The configuration file that a start in this folder would read, if there is one. */
export async function checkConfigFile(named: string | undefined): Promise<readonly Finding[]> {
  const file = configOf({ config: named })
  if (file === undefined) return []
  try {
    await readConfig(file)
    return [good(`The configuration file ${file} is valid.`)]
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return [problem(text, 'See docs/configuration.md.')]
  }
}
