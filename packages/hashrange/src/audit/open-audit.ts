import { AuditTrail, verifiedIdentity } from '@hashrange/access/closed'
import { readTableName, type Engine, type Scope } from '@hashrange/engine'
import type { Logger } from '@hashrange/server'
import type { AuditLogSettings } from './audit-flags.ts'

/** The audit log of a server. Rejects with the system's error if the file cannot be written. */
export function openAudit(engine: Engine, settings: AuditLogSettings, logger: Logger): Promise<AuditTrail> {
  return AuditTrail.open({
    ...settings,
    logger,
    identify: verifiedIdentity,
    now: () => engine.clock.now(),
    keyNamesOf: (scope, name) => keyNamesOf(engine, scope, name),
  })
}

/** A name that refers to no table of this account has none. */
function keyNamesOf(engine: Engine, scope: Scope, name: string): readonly string[] | undefined {
  try {
    const keys = engine.catalog.find(scope, readTableName(scope, name))?.definition.keySchema
    return keys && [...keys.hash, ...keys.range]
  } catch {
    return undefined
  }
}
