import { parseArgs } from 'node:util'
import { operationNames, type OperationName } from './workload/operations.ts'

const partNames = [
  'http',
  'embedded',
  'model',
  'changes',
  'links',
  'triggers',
  'backups',
  'growth',
  'import',
  'postgres',
  'costs',
  'metering',
  'auth',
  'startup',
  'waits',
] as const

export type PartName = (typeof partNames)[number]

export interface Options {
  /** In the larger tables of the growth, backups and postgres parts, and in the import. */
  readonly itemCount: number
  readonly smallItemCount: number
  readonly secondsPerRound: number
  readonly rounds: number
  readonly startups: number
  readonly operations: readonly OperationName[]
  readonly parts: readonly PartName[]
  readonly jsonFile: string | undefined
  readonly profileFolder: string | undefined
  readonly assert: boolean
}

export class OptionError extends Error {}

export const helpText = `Measures hashrange beside its limits and its peers, in one run.

Usage: npm run bench -- [options]

  --items N         items in the larger tables of the growth, backups and postgres parts and in the
                    import (default 1000000)
  --seconds S       length of a round (default 1)
  --only LIST       operations (${operationNames.map((name) => name.toLowerCase()).join(', ')})
                    and parts (${partNames.join(', ')}), by comma. Operations alone run in http and embedded.
  --quick           a smoke test of about a minute: short rounds, small tables
  --json FILE       where the results go (default bench/results/<time>.json)
  --cpu-prof DIR    have the hashrange servers write processor profiles to this folder
  --assert          end with code 1 if a goal is missed
  --help            this text

The default run takes about eight minutes on two cores. Close what else is busy: peers are measured in alternating rounds
and medians are shown, which evens out noise but does not remove it.
`

/** Nothing if help is asked for. */
export function readOptions(words: readonly string[]): Options | undefined {
  const values = parse(words)
  if (values.help === true) return undefined
  const quick = values.quick === true
  const { operations, parts } = readOnly(values.only)
  return {
    itemCount: readNumber('--items', values.items, quick ? 50_000 : 1_000_000, 1_000),
    smallItemCount: quick ? 5_000 : 10_000,
    secondsPerRound: readNumber('--seconds', values.seconds, quick ? 0.3 : 1, 0.05),
    rounds: quick ? 3 : 5,
    startups: quick ? 3 : 7,
    operations,
    parts,
    jsonFile: values.json,
    profileFolder: values['cpu-prof'],
    assert: values.assert === true,
  }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        items: { type: 'string' },
        seconds: { type: 'string' },
        only: { type: 'string' },
        quick: { type: 'boolean' },
        json: { type: 'string' },
        'cpu-prof': { type: 'string' },
        assert: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error))
  }
}

function readNumber(name: string, text: string | undefined, otherwise: number, least: number): number {
  if (text === undefined) return otherwise
  const number = Number(text.replaceAll('_', ''))
  if (!(number >= least) || number === Infinity) {
    throw new OptionError(`${name} must be a number of at least ${least}, not '${text}'.`)
  }
  return number
}

function readOnly(list: string | undefined): Pick<Options, 'operations' | 'parts'> {
  if (list === undefined) return { operations: operationNames, parts: partNames }
  const words = list.toLowerCase().split(',')
  const operations = operationNames.filter((name) => words.includes(name.toLowerCase()))
  const parts = partNames.filter((name) => words.includes(name))
  if (operations.length + parts.length < new Set(words).size) {
    throw new OptionError(
      `--only knows ${[...operationNames, ...partNames].join(', ').toLowerCase()}; not all of '${list}'.`,
    )
  }
  return {
    operations: operations.length === 0 ? operationNames : operations,
    parts: parts.length === 0 ? ['http', 'embedded'] : parts,
  }
}
