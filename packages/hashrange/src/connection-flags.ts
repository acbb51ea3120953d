export const connectionFlags = {
  connect: { type: 'string', multiple: true },
} as const

/** `staging=http://10.0.0.7:8000` or `prod=aws:prod@eu-west-1`. */
export interface NamedConnection {
  readonly name: string
  readonly place: string
}

export interface ConnectionSettings {
  /** Other databases that the workbench may show. */
  readonly connections?: readonly NamedConnection[] | undefined
}

/** The flag about connections, or what is wrong with it. `setting` reads the environment. */
export function readConnectionFlags(
  { connect }: { readonly connect?: readonly string[] | undefined },
  setting: (name: string) => string | undefined,
): ConnectionSettings | { readonly mistake: string } {
  const words = connect ?? setting('HASHRANGE_CONNECT')?.split(',') ?? []
  const connections = words.map((word) => {
    const at = word.indexOf('=')
    return { name: word.slice(0, Math.max(0, at)), place: word.slice(at + 1) }
  })
  const wrong = connections.findIndex(({ name, place }) => name === '' || place === '')
  if (wrong >= 0) {
    return {
      mistake: `--connect takes a name and a place, such as staging=http://10.0.0.7:8000 or prod=aws:prod@eu-west-1, not "${words[wrong] ?? ''}".`,
    }
  }
  return connections.length === 0 ? {} : { connections }
}
