import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { computeWith } from '../check/data/compute-attributes.ts'
import { DataGenerator } from '../check/data/generate-data.ts'
import { generateValue } from '../check/data/generate-value.ts'
import { ModelIndex } from '../check/model-index.ts'
import { seededRandom } from '../check/random.ts'
import { createTables } from '../check/run/load-data.ts'
import type { RoleDescription } from '../description.ts'
import type { AnyModel } from '../model/model.ts'
import { leastOf, type OpenClosedTrial, type TrialPrincipal } from './closed-trial.ts'
import { RoleTrial, type RoleReport } from './role-trial.ts'
import { rolePolicy } from './role-policy.ts'
import type { Tenant } from './tenant-subjects.ts'

export interface CheckRolesOptions {
  readonly open: OpenClosedTrial
  readonly seed?: number | undefined
}

/** Runs every pattern of every role under its policy, on a database that verifies requests. What a role may do must succeed. The patterns of other roles, the items of other
 *  tenants, and scans must be denied. */
export async function checkRoles(model: AnyModel, options: CheckRolesOptions): Promise<readonly RoleReport[]> {
  const { description } = model
  const { roles = [] } = description
  if (roles.length === 0) return []
  const index = new ModelIndex(description)
  const random = seededRandom(options.seed ?? 1)
  const compute = computeWith(model.definitions)
  const generator = new DataGenerator(description, random, bounds, compute)
  const items = generator.all()
  const cast = roles.map((role) => ({ role, tenants: tenantsOf(index, role) }))
  const trial = await options.open(cast.flatMap(({ role, tenants }) => principalsOf(model, role, tenants[0])))
  try {
    await createTables(trial.client, description)
    const source = { client: trial.client, model: index, generator, items, compute }
    const reports: RoleReport[] = []
    for (const { role, tenants } of cast) {
      reports.push(await new RoleTrial(model, { trial, source, random }, role, tenants).run())
    }
    return reports
  } finally {
    await trial.close()
  }
}

/** Enough for an item of each kind, in each index. */
const bounds = { maxItems: 200, maxBytes: 1024 * 1024 }

function principalsOf(
  { description }: AnyModel,
  role: RoleDescription,
  tenant: Tenant | undefined,
): readonly TrialPrincipal[] {
  const least = rolePolicy(description, role)
  const tags = tenant === undefined ? {} : { [tenant.attribute]: scalarText(tenant.value) }
  return [
    { name: role.name, policy: role.policy ?? least, tags },
    { name: leastOf(role), policy: least, tags },
  ]
}

/** The tenant of the principal, and others: one of them begins like it, where names may. */
function tenantsOf(model: ModelIndex, { tenant: name }: RoleDescription): readonly Tenant[] {
  if (name === undefined) return []
  const attribute = model.model.entities.flatMap(({ attributes }) => attributes).find((each) => each.name === name)
  if (attribute === undefined) return []
  const values = [1, 2].map((n) => generateValue(attribute, n))
  const [own] = values
  const longer = attribute.type === 'string' && own?.S !== undefined ? [{ S: `${own.S}1` }] : []
  return [...values, ...longer].map((value) => ({ attribute: name, value }))
}

function scalarText({ S, N }: AttributeValue): string {
  return S ?? N ?? ''
}
