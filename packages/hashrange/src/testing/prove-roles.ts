import type { AnyModel } from '@hashrange/model'
import type { RoleReport } from '@hashrange/model/roles'

/** Runs every pattern of every role of a model under its policy, on a closed database in memory, as `hashrange check` does. Without findings, each role can do what its
 *  patterns need, and reaches neither the patterns of others nor the items of other tenants.
 *
 *      const reports = await proveRoles(tenants)
 *      expect(reports.flatMap(({ findings }) => findings)).toEqual([])
 */
export async function proveRoles(
  model: AnyModel,
  options: { readonly seed?: number | undefined } = {},
): Promise<readonly RoleReport[]> {
  const [{ checkRoles }, { openClosedTrial }] = await Promise.all([
    import('@hashrange/model/roles'),
    import('../commands/open-closed-trial.ts'),
  ])
  return checkRoles(model, { open: openClosedTrial, ...options })
}
