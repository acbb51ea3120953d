import { Mistake } from '../mistake.ts'
import { configOf, type ConfigSettings } from '../config/config-file.ts'
import type { DaxSettings } from './dax-flags.ts'

const flags = [
  ['daxRecordTtlMs', '--dax-record-ttl-millis'],
  ['daxQueryTtlMs', '--dax-query-ttl-millis'],
  ['daxCacheMb', '--dax-cache-size'],
] as const

/** What flags say about DAX, and for the rest the configuration file. A start without such a file need not load what
 *  reads it. */
export async function daxOf(settings: ConfigSettings & DaxSettings): Promise<DaxSettings> {
  const file = configOf(settings)
  const declared = file === undefined ? {} : await declaredIn(file)
  const dax: DaxSettings = {
    daxPort: settings.daxPort ?? declared.daxPort,
    daxRecordTtlMs: settings.daxRecordTtlMs ?? declared.daxRecordTtlMs,
    daxQueryTtlMs: settings.daxQueryTtlMs ?? declared.daxQueryTtlMs,
    daxCacheMb: settings.daxCacheMb ?? declared.daxCacheMb,
  }
  if (dax.daxPort !== undefined) return dax
  const typed = flags.find(([name]) => settings[name] !== undefined)
  if (typed !== undefined) throw new Mistake(`${typed[1]} needs DAX. Add --dax-port 8111.`)
  const written = flags.find(([name]) => declared[name] !== undefined)
  if (written !== undefined) throw new Mistake(`${file}: "${written[0]}" needs DAX. Add "daxPort", such as 8111.`)
  return dax
}

async function declaredIn(file: string): Promise<DaxSettings> {
  const { readConfig } = await import('../config/read-config.ts')
  const { daxPort, daxRecordTtlMs, daxQueryTtlMs, daxCacheMb } = await readConfig(file)
  return { daxPort, daxRecordTtlMs, daxQueryTtlMs, daxCacheMb }
}
