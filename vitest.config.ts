import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { whyNoPostgres } from './packages/postgres/src/testing/why-no-postgres.ts'
import LongestFirst from './test/support/longest-first.ts'
import { keepFilesInMemory } from './test/support/files-in-memory.ts'
import { missingHere } from './test/support/missing-here.ts'
import { neutralize } from './test/support/neutral-environment.ts'
import { optimizeLate } from './test/support/optimize-late.ts'
import { seedOfTests } from './test/support/randomness.ts'
import { lengthen } from './test/support/long-form.ts'
import { dependsOnStore, testsOfPackages, usesTestStore } from './test/support/test-needs.ts'
import { testEndpoint } from './test/support/test-endpoint.ts'

neutralize(process.env)
lengthen(process.env)
keepFilesInMemory(process.env)
optimizeLate(process.env)

/** Where there is a Citus cluster, the engine is tested on it as well. */
const citusUrl = process.env['HASHRANGE_CITUS_URL']

/** All random choices of a run follow from it; it is printed at the end. */
const seed = seedOfTests()

/** What this machine cannot run is left out, and named at the end of the run. */
const missing = await missingHere(whyNoPostgres())

const notTests = ['**/node_modules/**', '**/dist/**', ...missing.flatMap(({ files }) => files)]

/** Tests that let stores die in their own process, and take away what is mapped into its memory. The process may die of it
 *  later: it is no other file's. */
const deaths = [
  'packages/engine/src/store/{lmdb,sealed}/**/*.test.ts',
  'packages/engine/src/store/lmdb-*.test.ts',
  'packages/engine/src/simulation/**/*.test.ts',
  'packages/engine/src/cuts/killed.test.ts',
  'packages/engine/src/replication/interrupted.test.ts',
]

/** Suites that run against somebody else's database share its names of tables, and wait for it. */
const isElsewhere = testEndpoint() !== undefined

export default defineConfig({
  // Tests run on the sources: every package's exports name them under this condition.
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  plugins: [seededFastCheck()],
  test: {
    // These are for what hangs. A test that is merely slow, on a machine with ten times as much to do as it has processors, passes.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    fileParallelism: !isElsewhere,
    pool: 'forks',
    // Files share processes: to load the sources anew for each of them takes longer than most of them do. No file may leave
    // anything behind that the next one could notice, and the setup sees to it.
    isolate: false,
    setupFiles: ['./test/support/leave-no-trace.ts'],
    // The projects use the same sources: what one has compiled, the others and the next run read.
    experimental: { fsModuleCache: true },
    // Tests wait for servers, browsers and disks as much as they compute: more of them than there are processors.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // The second names what was skipped and why, and ends with the counts.
    reporters: ['default', ['./test/support/report.ts', { missing, seed }]],
    env: {
      HASHRANGE_SEED: String(seed),
      // The AWS SDK's notice about Node.js 20, once per file.
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    },

    projects: [
      {
        extends: true,
        test: {
          name: 'lmdb',
          include: [
            'packages/*/src/**/*.test.ts',
            'examples/**/*.test.ts',
            'test/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: [...notTests, ...deaths],
        },
      },
      { extends: true, test: { name: 'deaths', include: deaths, exclude: notTests, isolate: true } },
      // The engine once more, on a PostgreSQL that this run starts.
      ...(missing.some(({ what }) => what === 'PostgreSQL')
        ? []
        : [engineOn('postgres', './test/support/postgres-setup.ts', {})]),
      ...(citusUrl === undefined
        ? []
        : [engineOn('citus', './test/support/citus-setup.ts', { testTimeout: 180_000 })]),
    ],
  },
})

function engineOn(name: string, setup: string, more: { readonly testTimeout?: number }) {
  return {
    extends: true as const,
    test: {
      name,
      // What in the packages depends on the store of the run; at length, whatever can come to open it. Tests of the whole
      // system choose theirs.
      include: testsOfPackages().filter(process.env['HASHRANGE_STORES'] === 'all' ? usesTestStore : dependsOnStore),
      exclude: [...notTests, '**/*.lmdb.test.ts'],
      globalSetup: [setup],
      setupFiles: ['./test/support/postgres-store.ts'],
      ...more,
    },
  }
}

/** Puts a fast-check in place of itself that knows the seed of the run. */
function seededFastCheck() {
  const seeded = fileURLToPath(new URL('./test/support/seeded-fast-check.ts', import.meta.url))
  return {
    name: 'seeded-fast-check',
    enforce: 'pre' as const,
    resolveId: (source: string, importer: string | undefined) =>
      source === 'fast-check' && importer !== seeded ? seeded : undefined,
  }
}
