import { parseArgs } from 'node:util'
import { seedOfRun } from '../support/randomness.ts'
import { faultKinds, type FaultKind } from './faults/faults.ts'

export interface Options {
  readonly store: 'lmdb' | 'postgres' | 'citus'
  readonly servers: number
  readonly transactions: number
  readonly epochTransactions: number
  readonly clients: number
  readonly faults: readonly FaultKind[]
  /** Whether clients work in all regions of a strongly consistent global table, and regions are isolated. */
  readonly regions: 'three' | 'witness' | undefined
  readonly faultEveryMs: number
  readonly seed: number
  readonly saveFolder: string | undefined
  /** A history to check instead of a run. */
  readonly checkFile: string | undefined
}

export class OptionError extends Error {}

export const helpText = `Runs clients against servers that are killed, stopped and cut off, and checks that what the clients saw has an explanation:
transactions are strictly serializable, single items linearizable, tokens make a transaction happen once, streams show
each change once and in order.

Usage: npm run histories -- [options]

  --store lmdb          lmdb: one server on a new folder; postgres: several on a new PostgreSQL; citus: several on the
                        cluster whose coordinator HASHRANGE_CITUS_URL names. Its connections to a worker are cut too,
                        and a worker is killed and stopped, if scripts/citus.sh has started the cluster
  --servers 3           how many, on PostgreSQL and Citus
  --transactions N      how many transactions to commit (default 100000): TransactWriteItems, TransactGetItems and
                        ExecuteTransaction. Other operations come on top
  --faults LIST         kill, stop and cut (servers and connections), crash (database) and failover (PostgreSQL), by comma, or
                        none (default all)
  --fault-every MS      the mean time between two faults (default 1500)
  --regions three       clients work on one strongly consistent global table, in three regions (or in two: witness),
                        and regions are isolated; --transactions then counts operations
  --clients N           how many at a time (default 32)
  --epoch N             so many transactions are checked at a time (default 20000)
  --seed N              what clients do, and which faults happen, follows from it, as far as the machine allows
  --save FOLDER         keep the whole history there. A history with an anomaly is kept in any case
  --check FILE          check a history that was kept
  --help                this text

Ends with code 1 if there is an anomaly.
`

/** Nothing if help is asked for. */
export function readOptions(words: readonly string[]): Options | undefined {
  const values = parse(words)
  if (values.help === true) return undefined
  const store = values.store ?? 'lmdb'
  if (store !== 'lmdb' && store !== 'postgres' && store !== 'citus') {
    throw new OptionError(`--store must be lmdb, postgres or citus, not '${store}'.`)
  }
  if (store === 'lmdb' && values.servers !== undefined && values.servers !== '1') {
    throw new OptionError('--servers is for --store postgres: one server has a folder for itself.')
  }
  return {
    store,
    servers: store === 'lmdb' ? 1 : readNumber('--servers', values.servers, 3),
    transactions: readNumber('--transactions', values.transactions, 100_000),
    epochTransactions: readNumber('--epoch', values.epoch, 20_000),
    clients: readNumber('--clients', values.clients, 32),
    faults: readFaults(values.faults),
    regions: readRegions(values.regions),
    faultEveryMs: readNumber('--fault-every', values['fault-every'], 1_500),
    seed: readNumber('--seed', values.seed, seedOfRun(), 0),
    saveFolder: values.save,
    checkFile: values.check,
  }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        store: { type: 'string' },
        servers: { type: 'string' },
        transactions: { type: 'string' },
        faults: { type: 'string' },
        regions: { type: 'string' },
        'fault-every': { type: 'string' },
        clients: { type: 'string' },
        epoch: { type: 'string' },
        seed: { type: 'string' },
        save: { type: 'string' },
        check: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error))
  }
}

function readNumber(name: string, text: string | undefined, otherwise: number, least = 1): number {
  if (text === undefined) return otherwise
  const number = Number(text.replaceAll('_', ''))
  if (Number.isSafeInteger(number) && number >= least) return number
  throw new OptionError(`${name} must be a whole number of at least ${least}, not '${text}'.`)
}

function readRegions(word: string | undefined): Options['regions'] {
  if (word === undefined || word === 'three' || word === 'witness') return word
  throw new OptionError(`--regions must be three or witness, not '${word}'.`)
}

function readFaults(list: string | undefined): readonly FaultKind[] {
  if (list === undefined) return faultKinds
  if (list === 'none') return []
  return list.split(',').map((word) => {
    const kind = faultKinds.find((known) => known === word)
    if (kind !== undefined) return kind
    throw new OptionError(`--faults knows ${faultKinds.join(', ')} and none, not '${word}'.`)
  })
}
