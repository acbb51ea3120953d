import type { RequestTemplate } from '../workload/request-template.ts'
import { LoadConnection } from './load-connection.ts'
import type { RoundResult } from '../measure/round-result.ts'
import { Latencies } from '../measure/latencies.ts'
import type { LoadOrder } from './load-order.ts'
import { SignedRequests } from './signed-request-writer.ts'
import { RequestWriter } from './request-writer.ts'

let requestsEver = 0

/** A closed loop: every connection sends its next request when its last one is answered. */
export async function runLoad(order: LoadOrder, onProgress: (answered: number) => void): Promise<RoundResult> {
  const latencies = new Latencies()
  const connections: LoadConnection[] = []
  const { credentials, port, template } = order
  const signed = credentials && new SignedRequests(template, port, credentials)
  let sent = 0
  let answered = 0
  try {
    return await new Promise<RoundResult>((resolve, reject) => {
      const sequence = firstItems(order.template)
      const ports = [order.port, ...(order.otherPorts ?? [])]
      const openOne = async (_: unknown, index: number): Promise<() => void> => {
        const port = ports[index % ports.length] ?? order.port
        const writer = new RequestWriter(order.template, port)
        let sentAtMs = 0
        const send = (): void => {
          sent++
          const bytes = signed?.next() ?? filled(writer, sequence())
          sentAtMs = performance.now()
          connection.send(bytes)
        }
        const onAnswer = (): void => {
          const nowMs = performance.now()
          answered++
          latencies.add(nowMs - sentAtMs)
          if (answered % progressEvery === 0) onProgress(answered)
          if (order.requests === undefined ? nowMs < endAtMs : sent < order.requests) send()
          else if (answered === sent) finish(nowMs)
        }
        const connection = await LoadConnection.open(port, onAnswer, reject)
        connections.push(connection)
        return send
      }
      let startedAtMs = 0
      let endAtMs = 0
      let cpuBefore = process.cpuUsage()
      const finish = (nowMs: number): void => {
        const seconds = (nowMs - startedAtMs) / 1_000
        const cpu = process.cpuUsage(cpuBefore)
        resolve({
          requests: answered,
          seconds,
          perSecond: answered / seconds,
          ...latencies.quantiles(),
          callerCpu: (cpu.user + cpu.system) / 1e6 / seconds,
        })
      }
      Promise.all(Array.from({ length: order.connections }, openOne))
        .then((starts) => {
          cpuBefore = process.cpuUsage()
          startedAtMs = performance.now()
          endAtMs = startedAtMs + (order.seconds ?? 0) * 1_000
          for (const start of starts.slice(0, order.requests ?? starts.length)) start()
        })
        .catch(reject)
    })
  } finally {
    for (const connection of connections) connection.close()
  }
}

function filled(writer: RequestWriter, firstItem: number): Buffer {
  writer.fill(firstItem, requestsEver++ % 100_000_000)
  return writer.bytes
}

const progressEvery = 1_000

function firstItems({ choose, itemCount }: RequestTemplate): () => number {
  if (choose.kind === 'random') return () => Math.floor(Math.random() * itemCount)
  let next = -choose.step
  return () => (next += choose.step)
}
