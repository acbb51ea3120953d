import { Mistake } from '../mistake.ts'
import { configOf, type ConfigSettings } from '../config/config-file.ts'
import { mistakeIn, mistakeOfAll, type LinkSettings } from './link-flags.ts'

/** The links that flags declare, or else the configuration file. A start without such a file need not load what reads it. */
export async function linksOf(settings: ConfigSettings & LinkSettings): Promise<LinkSettings> {
  const file = configOf(settings)
  if (settings.links !== undefined || file === undefined) return settings
  const { readConfig } = await import('../config/read-config.ts')
  const { region = settings.region, replicate = {} } = await readConfig(file)
  const links = Object.entries(replicate).map(([name, url]) => ({ region: name, url }))
  const wrong = links.map(mistakeIn).find((mistake) => mistake !== undefined) ?? mistakeOfAll(region, links)
  if (wrong !== undefined) throw new Mistake(`${file}: ${wrong}`)
  return { ...settings, region, ...(links.length > 0 && { links }) }
}
