import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadOrder } from './load/load-order.ts'
import type { BenchContext } from './measure/bench-context.ts'
import { measureAuth } from './measure/auth.ts'
import { measureBackups } from './measure/backups.ts'
import { measureChanges } from './measure/changes.ts'
import { measureLinks } from './measure/links.ts'
import { measureCosts } from './measure/costs.ts'
import { measureEmbedded } from './measure/embedded.ts'
import { measureGrowth } from './measure/growth.ts'
import { measureImport } from './measure/import.ts'
import { measureMetering } from './measure/metering.ts'
import { measureModel } from './measure/model.ts'
import { OrderTaker } from './measure/order-taker.ts'
import { measureOverHttp } from './measure/over-http.ts'
import { measurePostgres } from './measure/postgres.ts'
import type { RoundResult } from './measure/round-result.ts'
import { measureStartup } from './measure/startup.ts'
import { measureTriggers } from './measure/triggers.ts'
import { measureWaits } from './measure/waits.ts'
import { helpText, OptionError, readOptions, type Options } from './options.ts'
import { goalsOf } from './report/goals.ts'
import { describeMachine } from './report/machine.ts'
import { Progress } from './report/progress.ts'
import { reportText } from './report/report-text.ts'
import type { Results } from './report/results.ts'
import { Resources } from './resources.ts'

// This file is built to bench/dist/main.js.
const benchFolder = fileURLToPath(new URL('..', import.meta.url))

process.exitCode = await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<number> {
  const resources = new Resources()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      resources.releaseAll()
      process.exit(signal === 'SIGINT' ? 130 : 143)
    })
  }
  try {
    const options = readOptions(words)
    if (options === undefined) {
      process.stdout.write(helpText)
      return 0
    }
    return await run(options, resources)
  } catch (error) {
    const isMistake = error instanceof OptionError
    process.stderr.write(
      `${process.stderr.isTTY ? '\n' : ''}bench: ${error instanceof Error ? error.message : String(error)}\n`,
    )
    if (isMistake) process.stderr.write('See: npm run bench -- --help\n')
    return isMistake ? 2 : 1
  } finally {
    resources.releaseAll()
  }
}

async function run(options: Options, resources: Resources): Promise<number> {
  const startedAt = new Date()
  const folder = resources.temporaryFolder(join(benchFolder, '.hashrange'))
  const generatorModule = fileURLToPath(new URL('load/generator-process.js', import.meta.url))
  const generator = new OrderTaker<LoadOrder, RoundResult>('the load generator', generatorModule)
  resources.add(() => generator.stop())
  const progress = new Progress()
  const results = await measure({ options, resources, progress, generator, folder })
  progress.clear()

  const machine = describeMachine()
  const goals = goalsOf(results)
  process.stdout.write(`${reportText(machine, results, goals)}\n`)
  const jsonFile = resolve(options.jsonFile ?? join(benchFolder, 'results', `${fileTime(startedAt)}.json`))
  const seconds = (Date.now() - startedAt.getTime()) / 1_000
  mkdirSync(dirname(jsonFile), { recursive: true })
  writeFileSync(jsonFile, JSON.stringify({ startedAt, seconds, machine, options, goals, ...results }, null, 2))
  process.stdout.write(`\n${seconds.toFixed(0)} s; everything is in ${relative(process.cwd(), jsonFile)}\n`)
  return options.assert && goals.some(({ isMet }) => !isMet) ? 1 : 0
}

async function measure(context: BenchContext): Promise<Results> {
  const { parts } = context.options
  return {
    ...(parts.includes('startup') && { startup: await measureStartup(context) }),
    ...(parts.includes('http') && { http: await measureOverHttp(context) }),
    ...(parts.includes('embedded') && { embedded: await measureEmbedded(context) }),
    ...(parts.includes('model') && { model: await measureModel(context) }),
    ...(parts.includes('changes') && (await measureChanges(context))),
    ...(parts.includes('links') && (await measureLinks(context))),
    ...(parts.includes('triggers') && { triggers: await measureTriggers(context) }),
    ...(parts.includes('backups') && { backups: await measureBackups(context) }),
    ...(parts.includes('growth') && { growth: await measureGrowth(context) }),
    ...(parts.includes('import') && { import: await measureImport(context) }),
    ...(parts.includes('metering') && { metering: await measureMetering(context) }),
    ...(parts.includes('auth') && { auth: await measureAuth(context) }),
    ...(parts.includes('postgres') && { postgres: await measurePostgres(context) }),
    ...(parts.includes('costs') && { costs: await measureCosts(context) }),
    ...(parts.includes('waits') && { waits: await measureWaits(context) }),
  }
}

function fileTime(time: Date): string {
  return time.toISOString().slice(0, 19).replaceAll(':', '-')
}
