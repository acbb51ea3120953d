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

/** What Citus appends to the names of the tables on its nodes. */
export type PartSuffixes = Readonly<Record<'entries' | 'kept' | 'counters' | 'logs', string>>

/** The tables that hold one part of all rows on a node of Citus. */
export function partNames(schema: string, suffixes: PartSuffixes): TableNames {
  const whole = tableNames(schema)
  return {
    ...whole,
    entries: `${whole.entries}_${suffixes.entries}`,
    kept: `${whole.kept}_${suffixes.kept}`,
    counters: `${whole.counters}_${suffixes.counters}`,
    logs: `${whole.logs}_${suffixes.logs}`,
  }
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
