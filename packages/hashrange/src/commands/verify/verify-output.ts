import { placeText, type Finding, type VerifyProgress, type VerifyReport } from '@hashrange/engine/verify'
import { counted } from '../counted.ts'
import type { VerifyRun } from './verifiable.ts'

export interface VerifyOutputOptions {
  readonly place: string
  /** The name of the place on the command line. */
  readonly flag: string
  readonly json: boolean
}

/** More findings are only counted, for people. */
const mostShown = 1_000

/** Reports a verification: a line for each finding, the progress if somebody watches, and the outcome. */
export class VerifyOutput {
  readonly #options: VerifyOutputOptions
  readonly #startMs = performance.now()
  #shown = 0
  #derived = 0
  #progressMs = Number.NEGATIVE_INFINITY

  constructor(options: VerifyOutputOptions) {
    this.#options = options
  }

  get handlers(): Pick<VerifyRun, 'onFinding' | 'onProgress' | 'onNote'> {
    return {
      onFinding: (finding) => this.#finding(finding),
      onProgress: (progress) => this.#progress(progress),
      onNote: (sentence) => this.#note(sentence),
    }
  }

  /** Reports the outcome of a repair; returns whether to verify again. */
  endRepair(report: VerifyReport): boolean {
    this.#clear()
    if (this.#options.json) console.log(JSON.stringify({ repair: report }))
    else if (report.repaired > 0) console.log(`Repaired ${counted(report.repaired, 'finding')}. Verifying again.`)
    this.#shown = 0
    this.#derived = 0
    return report.isComplete
  }

  end(report: VerifyReport): void {
    this.#clear()
    if (this.#options.json) {
      console.log(JSON.stringify({ report }))
      return
    }
    for (const { place, reason } of report.unchecked) {
      const where = placeText(place)
      console.log(`Not verified${where === '' ? '' : `: ${where}`}. ${reason}`)
    }
    if (report.findings > Math.min(this.#shown, mostShown))
      console.log('Further findings are counted, but not listed.')
    for (const line of this.#verdict(report)) console.log(line)
  }

  /** 0 if nothing is wrong, 1 if something is, 2 if the check could not be completed. */
  exitCode(report: VerifyReport, isInterrupted: boolean): number {
    if (report.findings > report.repaired) return 1
    if (isInterrupted) return 130
    return report.isComplete ? 0 : 2
  }

  #verdict(report: VerifyReport): readonly string[] {
    const { place, flag } = this.#options
    const seconds = ((performance.now() - this.#startMs) / 1000).toFixed(1)
    const what = [
      counted(report.tables, 'table'),
      counted(report.items, 'item'),
      ...(report.pages > 0 ? [counted(report.pages, 'page')] : []),
    ].join(', ')
    const amount = `${what}, ${report.entries} entries in total, in ${seconds} seconds`
    if (report.findings === 0) {
      return [
        report.isComplete
          ? `Nothing is wrong in ${place}: ${amount}.`
          : `The verification of ${place} did not finish. Nothing was wrong up to that point: ${amount}.`,
      ]
    }
    const kinds = Object.entries(report.findingsByKind).map(([kind, count]) => `${count} ${kind}`)
    const lines = [`Found ${counted(report.findings, 'problem')} in ${place} (${kinds.join(', ')}): ${amount}.`]
    if (this.#derived > 0) {
      const which = this.#derived === report.findings ? 'All of them' : `${this.#derived} of them`
      lines.push(`${which} can be rebuilt from the items: hashrange verify ${flag} --repair`)
    }
    if (this.#derived < Math.min(report.findings, mostShown)) {
      lines.push('Damaged items cannot be rebuilt. Restore them from a backup, an archive or a copy of the folder.')
    }
    return lines
  }

  #finding(finding: Finding): void {
    this.#clear()
    if (finding.isDerived) this.#derived++
    if (this.#options.json) {
      console.log(JSON.stringify({ finding }))
      return
    }
    if (this.#shown++ >= mostShown) return
    const { kind, place, problem, isRepaired } = finding
    console.log(`${kind}: ${placeText(place)}\n  ${problem}${isRepaired ? ' Repaired.' : ''}`)
  }

  #note(sentence: string): void {
    this.#clear()
    process.stderr.write(`${sentence}\n`)
  }

  #progress({ step, entries, total }: VerifyProgress): void {
    if (!process.stderr.isTTY || performance.now() - this.#progressMs < 100) return
    this.#progressMs = performance.now()
    const count = entries.toLocaleString('en-US')
    const share =
      total === undefined || total === 0 ? '' : `, ${Math.min(99, Math.floor((100 * entries) / total))}%`
    process.stderr.write(`\r\u001b[K${step}: ${count}${share}`)
  }

  #clear(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  }
}
