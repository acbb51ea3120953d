import { checkModel } from '@hashrange/model/check'
import { open } from 'hashrange'
import { test } from 'vitest'
test('print', async () => {
  const name = process.env['EX'] ?? 'shop'
  const module = (await import(`../${name}/${name}.model.ts`)) as Record<string, never>
  const t = performance.now()
  const { findings, measurement } = await checkModel(module[name] as never, { open })
  console.log(Math.round(performance.now() - t), 'ms', measurement.items, 'items')
  for (const m of measurement.patterns)
    console.log(
      [
        m.pattern,
        'req',
        m.requests,
        'r',
        m.maxReadUnits,
        'w',
        m.maxWriteUnits,
        'items',
        m.itemsReturned.toFixed(1),
        m.failure ?? '',
        JSON.stringify(m.entities),
        m.scaled ? 'scaled' : '',
      ].join(' '),
    )
  for (const f of findings) console.log(f.severity, f.code, f.where.kind, f.where.name, f.reason, '=>', f.remedy)
})
