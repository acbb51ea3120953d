/** What a refusal of the service says, in its parts. */
export interface Denial {
  readonly action: string
  readonly resource: string
  /** Such as `no identity-based policy allows it`. */
  readonly reason: string
}

/** Reads the message of an AccessDeniedException; nothing if it is worded otherwise. */
export function readDenial(message: string): Denial | undefined {
  const match = /^User: \S+ is not authorized to perform: (\S+) on resource: (\S+) (.+)$/.exec(message)
  if (match === null) return undefined
  const [, action = '', resource = '', why = ''] = match
  const missing = /^because no (.+) allows the \S+ action$/.exec(why)?.[1]
  const denying = /^with an explicit deny in (an? .+)$/.exec(why)?.[1]
  if (missing !== undefined) return { action, resource, reason: `No ${missing} allows it.` }
  if (denying !== undefined) return { action, resource, reason: `There is an explicit deny in ${denying}.` }
  return { action, resource, reason: `${why.charAt(0).toUpperCase()}${why.slice(1)}.` }
}
