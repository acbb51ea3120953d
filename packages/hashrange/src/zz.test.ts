import { open } from 'hashrange'
import { expect, test } from 'vitest'
import { checkModel } from '../../model/src/check/index.ts'
for (const name of ['shop','music','leaderboard','saas']) {
  await import(`/work/main/packages/hashrange/templates/${name}/${name}.test.ts`)
  test(`${name} checks`, async () => {
    const m = await import(`/work/main/packages/hashrange/templates/${name}/${name}.model.ts`)
    const r = await checkModel(m[name], { open } as never)
    expect(r.findings.map((f) => JSON.stringify(f))).toEqual([])
  })
}
