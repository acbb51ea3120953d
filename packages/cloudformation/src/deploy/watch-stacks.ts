import type { Scope, Stopping } from '@hashrange/engine'
import type { CloudFormation } from '../cloudformation.ts'

/** Carries out what is asked of a stack on one of the servers that share the store. */
export async function work(
  cf: CloudFormation,
  scope: Scope,
  parts: readonly string[],
  stopping: Stopping,
): Promise<void> {
  const { accountId, region } = scope
  await cf.background.hold(`stack/${accountId}/${region}/${parts.join('/')}`, stopping, async (lease) => {
    const { runStack } = await import('./run-stack.ts')
    await runStack(cf, { accountId, region }, parts, lease).catch((error: unknown) => {
      // Another server has it, or this one is closing. Whatever else it was, it is tried again.
      if (!lease.aborted) cf.options.onError?.(error)
    })
  })
}

/** Goes on with what a server that died has left. */
export function watchStacks(cf: CloudFormation): void {
  cf.background.every(2_000, async (stopping) => {
    for (const { scope, parts } of await cf.pending.all()) {
      if (stopping.aborted) return
      await work(cf, scope, parts, stopping)
    }
  })
}
