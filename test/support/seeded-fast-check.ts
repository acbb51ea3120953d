import { configureGlobal } from 'fast-check'

/** Stands in for fast-check in tests, so that properties are checked with the seed of the run. */
configureGlobal({ seed: Number(process.env['HASHRANGE_SEED']) })

export * from 'fast-check'
