import type { ServedHeat } from '../report-route.ts'
import { Mistake } from '../mistake.ts'
import { readFlags } from './read-flags.ts'
import { readEndpoint, readReport } from './read-report.ts'
import { frame } from './top/frame.ts'
import { plainStyle, styleFor } from './top/style.ts'
import { Terminal } from './top/terminal.ts'
import { afterKey, firstView, keyOfInput, sortings, type Sorting, type View } from './top/view.ts'
import { serverFlags } from './trust-issuer.ts'

const help = `hashrange top: shows a server's tables, partitions and hottest keys live

  hashrange top
  hashrange top --endpoint http://127.0.0.1:9000 --interval 5
  hashrange top --once --json

  --endpoint URL     the server; http://127.0.0.1:8000 unless HASHRANGE_ENDPOINT is set
  --ca FILE          the issuer of the server's certificate, if this machine does not know it (PEM)
  --table NAME       only this table and its indexes
  --account ID --region NAME
                     only the tables of this account and region; all tables by default
  --sort units       or reads, writes, throttles, items, name
  --interval 2       seconds between updates
  --once             print the figures once, for scripts
  --json             print JSON, one line per update

In the terminal: q quits, the arrow keys select a table, s sorts, p pauses, ? shows help.`

const flags = {
  endpoint: { type: 'string' },
  table: { type: 'string' },
  account: { type: 'string' },
  region: { type: 'string' },
  sort: { type: 'string' },
  interval: { type: 'string' },
  once: { type: 'boolean' },
  json: { type: 'boolean' },
  ...serverFlags,
  help: { type: 'boolean', short: 'h' },
} as const

/** What to watch, and how often. */
interface Watch {
  readonly endpoint: string
  readonly intervalMs: number
  readonly sorting: Sorting
  readonly look: () => Promise<ServedHeat>
}

export async function top(words: readonly string[]): Promise<number> {
  const values = readFlags('top', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const endpoint = readEndpoint(values.endpoint)
  if ((values.account === undefined) !== (values.region === undefined)) {
    throw new Mistake('Use --account and --region together, or neither to see all tables.')
  }
  const { table, account, region } = values
  const watch: Watch = {
    endpoint,
    intervalMs: readInterval(values.interval) * 1000,
    sorting: readSorting(values.sort),
    look: () => readReport<ServedHeat>(endpoint, 'heat', { table, account, region }),
  }
  if (values.json === true) return printRepeatedly(watch, values.once === true, (report) => JSON.stringify(report))
  const isTerminal = process.stdout.isTTY && process.stdin.isTTY
  if (isTerminal && values.once !== true) return watchInTerminal(watch)
  return printRepeatedly(watch, values.once === true, (report) => {
    const view = { ...firstView, sorting: watch.sorting }
    const columns = process.stdout.isTTY ? process.stdout.columns : 160
    const style = process.stdout.isTTY ? styleFor(true, process.env) : plainStyle
    return frame(report, { endpoint, view, style, columns, interactive: false }).join('\n').trimEnd()
  })
}

function readInterval(text: string | undefined): number {
  const seconds = Number(text ?? '2')
  if (seconds >= 0.2 && seconds <= 3600) return seconds
  throw new Mistake(`--interval must be from 0.2 to 3600 seconds, not "${text}".`)
}

function readSorting(text: string | undefined): Sorting {
  const sorting = sortings.find((each) => each === (text ?? 'units'))
  if (sorting !== undefined) return sorting
  throw new Mistake(`--sort must be one of ${sortings.join(', ')}, not "${text}".`)
}

async function printRepeatedly(
  { look, intervalMs }: Watch,
  once: boolean,
  text: (report: ServedHeat) => string,
): Promise<number> {
  for (;;) {
    console.log(text(await look()))
    if (once) return 0
    await new Promise((resolve) => setTimeout(resolve, intervalMs))
  }
}

/** Reads and draws until told to quit. If the server goes away, it waits. */
async function watchInTerminal(watch: Watch): Promise<number> {
  // The first reading is taken before the terminal is taken over: a wrong address is better reported in a sentence.
  let report: ServedHeat | undefined = await watch.look()
  let view: View = { ...firstView, sorting: watch.sorting }
  let problem: string | undefined
  let wake: () => void = () => undefined
  let isQuitting = false
  const style = styleFor(true, process.env)
  const draw = (): void => {
    const { columns, rows } = terminal
    terminal.draw(
      frame(report, { endpoint: watch.endpoint, view, style, columns, rows, problem, interactive: true }),
    )
  }
  const quit = (): void => {
    isQuitting = true
    wake()
  }
  const terminal = new Terminal(process.stdin, process.stdout, {
    key: (input) => {
      const key = keyOfInput(input)
      if (key === undefined) return
      if (key === 'quit') return quit()
      const wasPaused = view.paused
      view = afterKey(view, key, report)
      draw()
      if (wasPaused && !view.paused) wake()
    },
    resize: draw,
  })
  process.once('SIGTERM', quit)
  process.once('SIGHUP', quit)
  terminal.open()
  try {
    for (;;) {
      draw()
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, watch.intervalMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      if (isQuitting) return 0
      if (view.paused) continue
      try {
        report = await watch.look()
        problem = undefined
      } catch (error) {
        problem = `${error instanceof Error ? error.message : String(error)} Trying again.`
      }
    }
  } finally {
    terminal.close()
  }
}
