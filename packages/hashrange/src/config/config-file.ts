import { existsSync } from 'node:fs'

export interface ConfigSettings {
  /** The configuration file, if it is named. */
  readonly config?: string | undefined
}

/** The configuration file, if there is one. */
export function configOf({ config }: ConfigSettings): string | undefined {
  return config ?? configNames.find((name) => existsSync(name))
}

const configNames = ['ts', 'mts', 'js', 'mjs', 'cjs', 'json'].map((ending) => `hashrange.config.${ending}`)
