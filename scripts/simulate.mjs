// npm run simulate: runs the real store on a simulated disk and clock, stops it at random steps, recovery included, and checks what is
// left. A failure prints its seed, which replays it exactly.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'
import { plantedBugs } from './planted-bugs.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const help = `npm run simulate -- [--seeds 10000] [--seed 1] [--of store|engine] [--plant BUG]

  --seeds N    how many simulations to run; 10000 by default
  --seed N     the first one; a failure prints the seed that shows it again
  --of WHAT    store: the store by itself, which is fast; engine: the whole database, verified after every recovery
  --plant BUG  put a bug back that the simulation must find, or all, one after the other:
${Object.entries(plantedBugs)
  .map(([name, { what }]) => `               ${name}: ${what}`)
  .join('\n')}`

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    seed: { type: 'string', default: process.env['HASHRANGE_SEED'] ?? '1' },
    plant: { type: 'string' },
    of: { type: 'string', default: 'store' },
    help: { type: 'boolean', short: 'h' },
  },
})
const seeds = Number(values.seeds)
const firstSeed = Number(values.seed)
const plant = values.plant === undefined ? undefined : plantedBugs[values.plant]

if (values.help === true) {
  console.log(help)
} else if (values.plant === 'all') {
  plantAll()
} else if (
  !(seeds > 0) ||
  !Number.isInteger(firstSeed) ||
  (values.plant !== undefined && plant === undefined) ||
  !['store', 'engine'].includes(values.of)
) {
  console.error(help)
  process.exitCode = 2
} else {
  await simulate()
}

async function simulate() {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-simulate-'))
  const built = join(root, 'node_modules', '.cache', 'hashrange', `simulation-${process.pid}.mjs`)
  try {
    await bundle(built)
    const { runSeeds } = await import(pathToFileURL(built).href)
    const startedAt = performance.now()
    const report = await runSeeds({ firstSeed, seeds, of: values.of, folder, onProgress })
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(
      `${report.seeds} seeds from ${firstSeed} in ${seconds} s: ${report.crashes} crashes, ${report.crashesInRecovery} of them in recovery; ` +
        `${report.transactions} transactions, ${report.refused} refused; ${report.compactions} compactions in use; damage planted ${report.damaged} times, refused ${report.noticed} times.`,
    )
    if (report.violation === undefined) {
      console.log('0 violations.')
      return
    }
    const { seed, error } = report.violation
    console.log(`Seed ${seed}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    console.log(
      `To see it again: npm run simulate -- --seeds 1 --seed ${seed}${values.of === 'store' ? '' : ` --of ${values.of}`}${values.plant === undefined ? '' : ` --plant ${values.plant}`}`,
    )
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(built, { force: true })
  }
}

/** Each in a process of its own: LMDB may end it when it finds its pages overwritten. */
function plantAll() {
  for (const [name, { seed }] of Object.entries(plantedBugs)) {
    const first = findPlanted(name, seed, 1)
    const { found, output } = first.found === undefined ? findPlanted(name, firstSeed, seeds) : first
    console.log(`${name}: ${found ?? `not found\n${output}`}`)
    if (found === undefined) process.exitCode = 1
  }
}

/** A simulation that does not even begin has found nothing. */
function findPlanted(name, seed, count) {
  const words = ['--seeds', String(count), '--seed', String(seed), '--plant', name]
  const { signal, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...words], {
    encoding: 'utf8',
  })
  const isKilled = ['SIGBUS', 'SIGSEGV', 'SIGABRT'].includes(signal)
  const found = /^Seed \d+: .*$/m.exec(stdout)?.[0] ?? (isKilled ? `the process was ended by ${signal}` : undefined)
  return { found, output: stdout + stderr }
}

function onProgress(done, { crashes }) {
  if (done % 1000 === 0) console.log(`${done} seeds, ${crashes} crashes`)
}

async function bundle(file) {
  const build = await rolldown({
    input: join(root, 'packages/engine/src/simulation/run-seeds.ts'),
    platform: 'node',
    // Our own packages too are bundled from their sources: what is built may be older.
    resolve: { conditionNames: ['source', 'import', 'node', 'default'] },
    external: (id) => !id.startsWith('.') && !isAbsolute(id) && !id.startsWith('@hashrange/'),
    plugins: plant === undefined ? [] : [planting(plant)],
  })
  await build.write({ file, format: 'esm', codeSplitting: false })
  await build.close()
}

function planting({ file, find, replace }) {
  const path = join(root, file)
  if (readFileSync(path, 'utf8').split(find).length !== 2)
    throw new Error(`${file} no longer has the code that the bug replaces`)
  return { name: 'plant', transform: (code, id) => (id === path ? code.replace(find, replace) : undefined) }
}
