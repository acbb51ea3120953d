import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callExpectingSuccess } from '../load/call.ts'
import { fillTable } from '../load/fill-table.ts'
import type { ServerProcess } from '../servers/server-process.ts'
import { startDynalite, startEcho, startHashrange } from '../servers/start-server.ts'
import { operationInput, type OperationName } from '../workload/operations.ts'
import { bodyText, requestTemplate, type RequestTemplate } from '../workload/request-template.ts'
import { alternate, type Contestant, type Measurement } from './alternate.ts'
import { concurrency, type BenchContext } from './bench-context.ts'
import { checkAnswer } from './check-answer.ts'

export type MeasurementsByOperation = Partial<Record<OperationName, readonly Measurement[]>>

const tableName = 'orders'

/** Ours on disk, dynalite in memory and an echo of our answers, each operation in alternating rounds. */
export async function measureOverHttp(context: BenchContext): Promise<MeasurementsByOperation> {
  const { options, progress } = context
  const templates = options.operations.map((operation) => templateOf(operation, tableName, options.smallItemCount))
  progress.show('starting the servers')
  const hashrange = await startHashrange(context, join(context.folder, 'http'))
  const dynalite = await startDynalite(context)
  for (const server of [hashrange, dynalite])
    await fillTable(context, server.port, tableName, options.smallItemCount)
  const answers = await answersOf(hashrange, templates)
  await answersOf(
    dynalite,
    templates.filter(({ operation }) => dynaliteKnows(operation)),
  )
  const answersFile = join(context.folder, 'answers.json')
  writeFileSync(answersFile, JSON.stringify(answers))
  const echo = await startEcho(context, answersFile)

  const measurements: MeasurementsByOperation = {}
  for (const template of templates) {
    const servers = [echo, dynalite, hashrange].filter(
      (server) => server !== dynalite || dynaliteKnows(template.operation),
    )
    measurements[template.operation] = await alternate(
      servers.map((server) => contestant(context, server, template, server.name)),
      options,
      (text) => progress.show(`${template.operation}: ${text}`),
    )
  }
  for (const server of [hashrange, dynalite, echo]) await server.stop()
  return measurements
}

export function templateOf(
  operation: OperationName,
  tableName: string,
  itemCount: number,
): RequestTemplate & { readonly operation: OperationName } {
  return { ...requestTemplate(operation, operationInput(operation, tableName, itemCount), itemCount), operation }
}

export function contestant(
  { generator }: BenchContext,
  server: ServerProcess,
  template: RequestTemplate,
  name: string,
): Contestant {
  const { port, pid } = server
  return {
    name,
    pid,
    run: (seconds) => generator.run({ port, template, connections: concurrency, seconds }),
  }
}

/** Each operation's answer, checked: what the echo will say. */
async function answersOf(
  server: ServerProcess,
  templates: readonly (RequestTemplate & { readonly operation: OperationName })[],
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const template of templates) {
    const answer = await callExpectingSuccess(server.port, template.operation, bodyText(template, 0, 0))
    checkAnswer(server.name, template.operation, answer)
    answers[template.operation] = JSON.stringify(answer)
  }
  return answers
}

function dynaliteKnows(operation: string): boolean {
  return operation !== 'TransactWriteItems'
}
