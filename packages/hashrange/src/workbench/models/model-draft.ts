import { createHash, randomBytes } from 'node:crypto'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import type { DraftAnswer, ModelSource } from '@hashrange/workbench/answers'
import { ApiRefusal } from '../api-handler.ts'
import { ModelChild } from './model-child.ts'
import type { ModelLimits } from './model-limits.ts'
import type { Turns } from './turns.ts'

/** A model file as text. */
export async function readModelSource(path: string): Promise<ModelSource> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new ApiRefusal(400, 'NoSource', `${basename(path)} cannot be read: ${String(error)}`)
  })
  return { text, digest: digestOf(text) }
}

/** Replaces a model file, unless it is no longer the one that was edited. It is written completely or not at all. */
export async function writeModelSource(path: string, text: string, digest: string): Promise<ModelSource> {
  const before = await readModelSource(path)
  if (before.digest !== digest) {
    throw new ApiRefusal(
      409,
      'Changed',
      `${basename(path)} was changed meanwhile, in an editor perhaps. Reload it, or copy what you have written first.`,
    )
  }
  const unfinished = besides(path, 'unfinished')
  try {
    await writeFile(unfinished, text, { flag: 'wx', mode: (await stat(path)).mode })
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
  return { text, digest: digestOf(text) }
}

export interface DraftRun {
  readonly limits: ModelLimits
  /** Loading keeps a processor busy, and so do checks. */
  readonly loads: Turns
  readonly checks: Turns
  /** Is told of the process, which may be stopped when nobody wants to know any more. */
  readonly onChild: (child: ModelChild) => void
}

/** Loads, checks and prices a text as if it were saved. It needs a file for that, beside the one it is to replace, so that
 *  its imports are found; the file is there for as long as this takes. */
export async function tryDraft(
  path: string,
  text: string,
  model: string,
  { limits, loads, checks, onChild }: DraftRun,
): Promise<DraftAnswer> {
  const draft = besides(path, 'draft')
  const child = new ModelChild(basename(path), limits)
  onChild(child)
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600 })
    await loads.take(() => child.ask({ kind: 'load', path: draft }, limits.loadMs))
    return await checks.take(async () => {
      const check = underItsName(await child.ask({ kind: 'check', model }, limits.checkMs), draft, path)
      const options = { region: 'us-east-1', date: '9999-12-31', utilisation: undefined }
      const cost = await child.ask({ kind: 'cost', model, ...options }, limits.checkMs)
      return { check, cost }
    })
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.code === 'Stopped') throw error
    const message = error.message.replaceAll(draft, basename(path)).replaceAll(basename(draft), basename(path))
    const place = /:(\d+):(\d+): /.exec(message)
    return { problem: { message, line: numberOf(place?.[1]), column: numberOf(place?.[2]) } }
  } finally {
    child.stop()
    await rm(draft, { force: true })
  }
}

/** Findings name the file in which they are. */
function underItsName(answer: unknown, draft: string, path: string): unknown {
  return JSON.parse(JSON.stringify(answer).replaceAll(basename(draft), basename(path)))
}

function besides(path: string, what: string): string {
  const ending = extname(path)
  return join(dirname(path), `.${basename(path, ending)}.${what}-${randomBytes(6).toString('hex')}${ending}`)
}

function numberOf(text: string | undefined): number | null {
  return text === undefined ? null : Number(text)
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}
