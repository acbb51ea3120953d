import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { describeIf, type Requirement } from '../support/requirement.ts'
import { rounds } from '../support/rounds.ts'
import { Contender } from './contender.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-lock-'))
let count = 0
const newPath = (): string => join(folder, String(count++))
const contenders: Contender[] = []

afterEach(() => Promise.all(contenders.splice(0).map((contender) => contender.kill())))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function contend(under: readonly string[] = [], environment?: NodeJS.ProcessEnv): Contender {
  const contender = new Contender(under, environment)
  contenders.push(contender)
  return contender
}

describe('a data folder', () => {
  test(
    'of many that open it at once exactly one has it, also when the last was killed',
    { timeout: 120_000 },
    async () => {
      const path = newPath()
      const racing = Array.from({ length: 3 }, () => contend())
      for (let round = 0; round < rounds(50, 200); round++) {
        const answers = await Promise.all(racing.map((contender) => contender.open(path)))
        const winners = racing.filter((_, index) => answers[index] === 'opened')
        expect(winners, `round ${round}: ${answers.join('; ')}`).toHaveLength(1)
        const [winner] = winners
        if (winner === undefined) continue
        if (round % 12 === 0) {
          await winner.kill()
          racing[racing.indexOf(winner)] = contend()
        } else await winner.close()
      }
    },
  )

  test('is refused while it is in use, and nothing in it is touched', async () => {
    const path = newPath()
    const [holder, other] = [contend(), contend()]
    expect(await holder.open(path)).toBe('opened')
    const before = stateOf(path)
    expect(await other.open(path)).toBe(`locked: The data folder ${path} is in use by process ${holder.pid}.`)
    expect(stateOf(path)).toEqual(before)
    expect(await holder.close()).toBe('closed')
    expect(await other.open(path)).toBe('opened')
  })

  test('stays locked while its process is stopped', async () => {
    const path = newPath()
    const [holder, other] = [contend(), contend()]
    expect(await holder.open(path)).toBe('opened')
    holder.signal('SIGSTOP')
    expect(await other.open(path)).toContain(`in use by process ${holder.pid}.`)
    holder.signal('SIGCONT')
    expect(await holder.close()).toBe('closed')
  })

  test('is free when its process was killed, whatever children that has left behind', async () => {
    const path = newPath()
    const [holder, other] = [contend(), contend()]
    expect(await holder.open(path)).toBe('opened')
    const child = await holder.beget()
    try {
      await holder.kill()
      expect(await other.open(path)).toBe('opened')
      expect(process.kill(child, 0)).toBe(true)
    } finally {
      process.kill(child, 'SIGKILL')
    }
  })
})

/** Processes that do not see each other, as in two containers with one volume: both have the same id. */
const namespaces = [
  ['unshare', '--pid', '--fork', '--kill-child'],
  ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child'],
].find(([program = '', ...words]) => spawnSync(program, [...words, 'true'], { stdio: 'ignore' }).status === 0)

const needsNamespaces: Requirement = {
  met: namespaces !== undefined,
  reason: 'this user cannot make a PID namespace here with "unshare --pid --fork".',
}

describeIf(needsNamespaces, 'two containers on one volume', () => {
  test('one of them has the folder', async () => {
    const path = newPath()
    const [first, second] = [contend(namespaces), contend(namespaces)]
    expect(await first.open(path)).toBe('opened')
    expect(await second.open(path)).toMatch(/^locked: .* is in use by another process\.$/)
    expect(await first.close()).toBe('closed')
    expect(await second.open(path)).toBe('opened')
  })
})

const needsFlock: Requirement = {
  met: process.platform === 'linux',
  reason: 'only Linux needs the program flock.',
}

describeIf(needsFlock, 'where the program flock is missing', () => {
  test('that is said, and nothing is opened unlocked', async () => {
    const path = newPath()
    const answer = await contend([], { ...process.env, PATH: '/nonexistent' }).open(path)
    expect(answer).toBe(
      `io: The data folder ${path} cannot be locked: the program flock is missing; install util-linux, which brings it.`,
    )
    expect(readdirSync(path)).toEqual(['lock'])
  })
})

function stateOf(path: string): unknown {
  return readdirSync(path).map((name) => {
    const { mtimeMs, size, ino } = statSync(join(path, name))
    return { name, mtimeMs, size, ino, content: readFileSync(join(path, name)) }
  })
}
