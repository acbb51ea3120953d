import { readFile } from 'node:fs/promises'
import type { AccessKeyPair, DeclaredIdentities, IamContext, KnownTables } from '@hashrange/access'
import {
  applyDeclaration,
  firstAdministrator,
  Gate,
  readDeclaration,
  type Administrator,
} from '@hashrange/access/closed'
import type { Guard } from '@hashrange/cloudformation'
import { parseJson } from '../parse-json.ts'
import { IdentitiesFileError } from './identities-file-error.ts'

interface GateSettings {
  /** The first administrator's key, if one was chosen. */
  readonly rootKey?: AccessKeyPair | undefined
  /** The account of the first administrator; by default, the key says it. */
  readonly accountId?: string | undefined
  readonly identities?: DeclaredIdentities | undefined
}

/** What a gate needs of a database. */
export interface Closable {
  readonly iam: IamContext
  readonly tables: KnownTables
  readonly guardStacks?: (guard: Guard) => void
}

export interface OpenedGate {
  readonly gate: Gate
  readonly administrator: Administrator
  /** Writes what must still be written. */
  close(): Promise<void>
}

const notePauseMs = 60_000

/** Closes a database to others: from now on there is one administrator who can get in, and nobody else. */
export async function openGate(
  { iam, tables, guardStacks }: Closable,
  settings: GateSettings,
): Promise<OpenedGate> {
  const { rootKey, accountId, identities } = settings
  const administrator = await firstAdministrator(iam, { key: rootKey, accountId })
  if (identities !== undefined) await applyDeclaration(iam, identities, administrator.accountId)
  const gate = await Gate.open(iam, tables)
  guardStacks?.((scope, target, operation, body) => gate.assertMayAs(scope, target, operation, body))
  const timer = setInterval(() => void gate.noteUses().catch(() => undefined), notePauseMs).unref()
  const close = async (): Promise<void> => {
    clearInterval(timer)
    await gate.noteUses()
  }
  return { gate, administrator, close }
}

/** What a file declares. Throws a DeclarationError, or an Error that names the file. */
export async function readIdentitiesFile(path: string): Promise<DeclaredIdentities> {
  let parsed: unknown
  try {
    parsed = parseJson(await readFile(path, 'utf8'))
  } catch (error) {
    throw new IdentitiesFileError(
      `The identities cannot be read from ${path} (${error instanceof Error ? error.message : String(error)}).`,
    )
  }
  return readDeclaration(parsed)
}
