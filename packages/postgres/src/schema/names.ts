/** A name as SQL quotes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The tables, with the schema they are in. */
export interface TableNames {
  readonly schema: string
  readonly about: string
  readonly entries: string
  readonly kept: string
  readonly counters: string
  readonly logs: string
}

export function tableNames(schema: string): TableNames {
  const prefix = `${quoted(schema)}.`
  return {
    schema: quoted(schema),
    about: `${prefix}about`,
    // In version 1 its name was `entries`.
    entries: `${prefix}data`,
    kept: `${prefix}kept`,
    counters: `${prefix}counters`,
    logs: `${prefix}logs`,
  }
}
