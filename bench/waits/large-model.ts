/** Entities with two indexes each, all read by get, by query, by range and through an index, and then used. */
export function largeModel(entities: number, patternsEach: number): string {
  const lines = ["import { connect, entity, model, s } from '@hashrange/model'"]
  const names = Array.from({ length: entities }, (_, n) => `E${n}`)
  for (const name of names) {
    lines.push(
      `const ${name} = entity('${name}', { tenantId: s.ulid(), id: s.ulid(), at: s.iso(), status: s.enum('a', 'b', 'c'), amount: s.int(),`,
      `  note: s.string().optional(), tags: s.set(s.string()), address: s.map({ street: s.string(), city: s.string() }), version: s.version() })`,
      `  .key({ pk: '${name}#{tenantId}', sk: '${name}#{at}#{id}' })`,
      `  .index('gsi1', { pk: '${name}#{id}', sk: '${name}' })`,
      `  .index('gsi2', { pk: '${name}#{status}', sk: '{amount:08}', when: { status: ['a', 'b'] } })`,
    )
  }
  lines.push(`const m = model({ name: 'large', entities: { ${names.join(', ')} }, patterns: (p) => ({`)
  for (const name of names) {
    const patterns = [
      `get${name}: p.get('${name}', { traffic: { rate: 10 } }),`,
      `list${name}: p.query({ pk: '${name}#{tenantId}', sk: '${name}#*', range: 'at', order: 'desc', limit: 25 }),`,
      `byId${name}: p.query({ on: 'gsi1', pk: '${name}#{id}' }),`,
      `byStatus${name}: p.query({ on: 'gsi2', pk: '${name}#{status}', range: 'amount' }),`,
    ]
    lines.push(...patterns.slice(0, patternsEach))
  }
  lines.push('}) })', "const db = connect(m, { send: () => Promise.reject(new Error('none')) })")
  for (const name of names) {
    lines.push(
      `export const use${name} = async () => {`,
      `  const { items } = await db.list${name}({ tenantId: 'x', at: { from: '2026' } })`,
      `  await db.${name}.update({ tenantId: 'x', at: '2026', id: 'y' }, { status: 'a', amount: 1, note: 'z' })`,
      `  return [items.${name}[0]?.address.city, (await db.byStatus${name}({ status: 'b' })).items.${name}[0]?.amount, await db.get${name}({ tenantId: 'x', at: '2026', id: 'y' })]`,
      '}',
    )
  }
  return lines.join('\n')
}
