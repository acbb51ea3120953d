import { StorageError } from '../store/storage-error.ts'
import type { Value } from '../store/store.ts'

/** A branch or a snapshot. ON DISK, as part of the list of branches. */
export interface BranchDefinition {
  /** Never given to another. */
  readonly id: number
  readonly name: string
  /** A snapshot is a branch that nobody writes to. */
  readonly kind: 'branch' | 'snapshot'
  /** PREPARING: servers of a shared store are being told of it. RESTORING: the data is being made equal to it. DELETING: it is
   *  gone, and its space is being freed. */
  readonly status: 'PREPARING' | 'ACTIVE' | 'RESTORING' | 'DELETING'
  readonly createdAtMs: number
  /** In a store that several servers share: the branch has the entries of logs up to this time, and none that are later. Whoever writes
   *  knows it, and numbers what follows after it. Elsewhere a mark in the order of all entries says so. */
  readonly cutMs?: number
  /** Whether it disappears with the process that made it. */
  readonly isTemporary?: boolean
}

export interface BranchList {
  readonly nextId: number
  /** Oldest first. */
  readonly branches: readonly BranchDefinition[]
}

export const noBranches: BranchList = { nextId: 1, branches: [] }

export function encodeBranchList(list: BranchList): Value {
  return Buffer.from(JSON.stringify(list))
}

export function parseBranchList(value: Value | undefined): BranchList {
  if (value === undefined) return noBranches
  try {
    return JSON.parse(value.toString('utf8')) as BranchList
  } catch (cause) {
    throw new StorageError('damaged', 'The list of branches cannot be read.', cause)
  }
}

/** Whether changes of the data must leave the branch as it is. */
export function isKept({ status }: BranchDefinition): boolean {
  return status === 'ACTIVE' || status === 'RESTORING'
}

/** A name is part of access keys and of header fields. */
export function isBranchName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(name)
}
