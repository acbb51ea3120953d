import { expectTypeOf, test } from 'vitest'
import type { HeatOverview as AnsweredOverview } from '../../packages/hashrange/src/workbench/heat/heat-overview.ts'
import type { TableHeat as AnsweredHeat } from '../../packages/hashrange/src/workbench/heat/table-heat.ts'
import type { RangeName as AnsweredRange } from '../../packages/hashrange/src/workbench/heat/time-range.ts'
import type {
  HeatOverview,
  RangeName,
  TableHeat,
} from '../../packages/workbench/src/views/heat/answers/heat-types.ts'

// The page runs in a browser and may not name the engine, whose types the answers are made of: it writes them out. The
// compiler tells here when the two no longer agree.
test('what the server answers about heat is what the page reads', () => {
  expectTypeOf<AnsweredOverview>().toExtend<HeatOverview>()
  expectTypeOf<AnsweredHeat>().toExtend<TableHeat>()
  expectTypeOf<RangeName>().toEqualTypeOf<AnsweredRange>()
})
