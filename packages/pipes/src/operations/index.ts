import { ServiceError, validationException } from '@hashrange/core'
import { pageToken, readPageToken, type Scope, type ServiceOperation } from '@hashrange/engine'
import { PatternError, readPattern } from '@hashrange/lambda'
import type { PipesOperation } from '../api/operations.ts'
import type { Pipes } from '../pipes.ts'
import { pipeArn, type PipeRecord, type PipeSettings } from '../records/pipe-record.ts'
import { Source } from '../sources/read-source.ts'
import { assertSupported } from '../targets/deliver-target.ts'

interface Named {
  readonly Name: string
}

interface CreateInput extends Named, PipeSettings {
  readonly Tags?: Readonly<Record<string, string>>
}

type UpdateInput = Named & Partial<PipeSettings>

interface ListInput {
  readonly NamePrefix?: string
  readonly DesiredState?: string
  readonly CurrentState?: string
  readonly SourcePrefix?: string
  readonly TargetPrefix?: string
  readonly NextToken?: string
  readonly Limit?: number
}

interface TagsInput {
  readonly resourceArn: string
  readonly tags?: Readonly<Record<string, string>>
  readonly tagKeys?: readonly string[]
}

async function createPipe(pipes: Pipes, scope: Scope, input: CreateInput) {
  const { Name: name, Tags: tags = {}, ...settings } = input
  assertRunnable(settings)
  const nowMs = pipes.clock.now()
  const record: PipeRecord = {
    name,
    settings,
    state: settings.DesiredState ?? 'RUNNING',
    tags,
    createdAtMs: nowMs,
    modifiedAtMs: nowMs,
    positions: await firstPositions(pipes, scope, settings),
  }
  await pipes.pipes.change(scope, [name], (current) => {
    if (current !== undefined) {
      const members = { resourceId: name, resourceType: 'pipe' }
      throw new ServiceError('ConflictException', `Pipe ${name} already exists.`, members)
    }
    return record
  })
  return { ...summary(scope, record), CurrentState: 'CREATING' }
}

/** Undefined if there is no such stream yet. What is changed after a pipe was created is never missed. */
async function firstPositions(
  pipes: Pipes,
  scope: Scope,
  settings: PipeSettings,
): Promise<PipeRecord['positions']> {
  try {
    return await new Source(pipes, scope, { settings }).firstPositions()
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** What is not given stays. The position in the source stays as well. */
async function updatePipe(pipes: Pipes, scope: Scope, { Name: name, ...changes }: UpdateInput) {
  const modifiedAtMs = pipes.clock.now()
  const record = await change(pipes, scope, name, (current) => {
    const settings = { ...current.settings, ...changes }
    assertRunnable(settings)
    return { ...current, settings, state: changes.DesiredState ?? current.state, modifiedAtMs }
  })
  return { ...summary(scope, record), CurrentState: 'UPDATING' }
}

async function deletePipe(pipes: Pipes, scope: Scope, { Name }: Named) {
  const record = await require(pipes, scope, Name)
  await pipes.pipes.change(scope, [Name], () => undefined)
  return { ...summary(scope, record), CurrentState: 'DELETING' }
}

async function describePipe(pipes: Pipes, scope: Scope, { Name }: Named) {
  const record = await require(pipes, scope, Name)
  const { settings, tags, stateReason } = record
  return { ...settings, ...summary(scope, record), Tags: tags, StateReason: stateReason }
}

async function listPipes(pipes: Pipes, scope: Scope, input: ListInput) {
  const {
    NamePrefix = '',
    DesiredState,
    CurrentState,
    SourcePrefix = '',
    TargetPrefix = '',
    NextToken,
    Limit = 100,
  } = input
  const after = NextToken === undefined ? undefined : readPageToken(NextToken)
  if (NextToken !== undefined && after === undefined) throw validationException('NextToken is invalid.')
  const { records, next } = await pipes.pipes.page(scope, {
    limit: Limit,
    after,
    matches: ({ name, state, settings }) =>
      name.startsWith(NamePrefix) &&
      settings.Source.startsWith(SourcePrefix) &&
      settings.Target.startsWith(TargetPrefix) &&
      (DesiredState ?? state) === state &&
      (CurrentState ?? state) === state,
  })
  return {
    Pipes: records.map((record) => {
      const { Source, Target, Enrichment } = record.settings
      return { ...summary(scope, record), StateReason: record.stateReason, Source, Target, Enrichment }
    }),
    NextToken: pageToken(next),
  }
}

async function startPipe(pipes: Pipes, scope: Scope, { Name }: Named) {
  return setState(pipes, scope, Name, 'RUNNING', 'STARTING')
}

async function stopPipe(pipes: Pipes, scope: Scope, { Name }: Named) {
  return setState(pipes, scope, Name, 'STOPPED', 'STOPPING')
}

async function setState(pipes: Pipes, scope: Scope, name: string, state: PipeRecord['state'], shown: string) {
  const modifiedAtMs = pipes.clock.now()
  const record = await change(pipes, scope, name, (current) => ({
    ...current,
    settings: { ...current.settings, DesiredState: state },
    state,
    modifiedAtMs,
  }))
  return { ...summary(scope, record), CurrentState: shown }
}

async function tagResource(pipes: Pipes, scope: Scope, { resourceArn, tags = {} }: TagsInput) {
  await change(pipes, scope, nameOfArn(scope, resourceArn), (current) => ({
    ...current,
    tags: { ...current.tags, ...tags },
  }))
  return {}
}

async function untagResource(pipes: Pipes, scope: Scope, { resourceArn, tagKeys = [] }: TagsInput) {
  await change(pipes, scope, nameOfArn(scope, resourceArn), (current) => ({
    ...current,
    tags: Object.fromEntries(Object.entries(current.tags).filter(([key]) => !tagKeys.includes(key))),
  }))
  return {}
}

async function listTagsForResource(pipes: Pipes, scope: Scope, { resourceArn }: TagsInput) {
  return { tags: (await require(pipes, scope, nameOfArn(scope, resourceArn))).tags }
}

function assertRunnable(settings: PipeSettings): void {
  assertSupported(settings)
  for (const { Pattern = '{}' } of settings.SourceParameters?.FilterCriteria?.Filters ?? []) {
    try {
      readPattern(Pattern)
    } catch (error) {
      if (error instanceof PatternError) throw validationException(`Invalid filter pattern: ${error.message}`)
      throw error
    }
  }
}

async function require({ pipes }: Pipes, scope: Scope, name: string): Promise<PipeRecord> {
  const record = await pipes.get(scope, [name])
  if (record === undefined) throw notFound(name)
  return record
}

async function change(
  { pipes }: Pipes,
  scope: Scope,
  name: string,
  decide: (current: PipeRecord) => PipeRecord,
): Promise<PipeRecord> {
  const changed = await pipes.change(scope, [name], (current) => {
    if (current === undefined) throw notFound(name)
    return decide(current)
  })
  if (changed === undefined) throw notFound(name)
  return changed
}

function nameOfArn(scope: Scope, arn: string): string {
  const prefix = pipeArn(scope, '')
  if (!arn.startsWith(prefix)) throw notFound(arn)
  return arn.slice(prefix.length)
}

function notFound(name: string): ServiceError {
  return new ServiceError('NotFoundException', `Pipe ${name} does not exist.`)
}

/** Times are in seconds. */
function summary(scope: Scope, { name, state, createdAtMs, modifiedAtMs }: PipeRecord) {
  return {
    Arn: pipeArn(scope, name),
    Name: name,
    DesiredState: state,
    CurrentState: state,
    CreationTime: createdAtMs / 1000,
    LastModifiedTime: modifiedAtMs / 1000,
  }
}

export const operations: Readonly<Record<PipesOperation, ServiceOperation<Pipes>>> = {
  CreatePipe: createPipe,
  DeletePipe: deletePipe,
  DescribePipe: describePipe,
  ListPipes: listPipes,
  ListTagsForResource: listTagsForResource,
  StartPipe: startPipe,
  StopPipe: stopPipe,
  TagResource: tagResource,
  UntagResource: untagResource,
  UpdatePipe: updatePipe,
}
