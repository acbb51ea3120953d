import type { AccessOptions } from '@hashrange/server'
import { isHostPattern, isOrigin } from './access-flags.ts'
import { checkTexts } from './check-texts.ts'
import { closestWord } from './closest-word.ts'

export interface ListenOptions extends AccessOptions {
  /** 0 takes one that is free. */
  readonly port?: number | undefined
  /** The address to listen on; this machine alone unless told. */
  readonly host?: string | undefined
}

/** JavaScript does not hold a call to its types, and an option that is not understood could leave a door open or closed. */
export function readListenOptions(options: ListenOptions | number, host: string | undefined): ListenOptions {
  if (typeof options === 'number') return { port: options, host }
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue
    const meant = closestWord(name, Object.keys(known))
    const advice =
      meant === undefined ? `The options are ${Object.keys(known).join(', ')}.` : `Did you mean ${meant}?`
    throw new TypeError(`listen has no option ${name}. ${advice}`)
  }
  checkTexts(
    'allowedHosts',
    options.allowedHosts,
    isHostPattern,
    "names without a port, such as ['db.example.com']",
  )
  checkTexts('cors', options.cors, isOrigin, "origins, such as ['https://app.example.com'] or ['*']")
  return options
}

const known: Readonly<Record<keyof ListenOptions, true>> = {
  port: true,
  host: true,
  cors: true,
  allowedHosts: true,
}
