import { expectTypeOf, test } from 'vitest'
import type { TableEntities } from '../../packages/hashrange/src/workbench/entities.ts'
import type { HeatOverview as AnsweredOverview } from '../../packages/hashrange/src/workbench/heat/heat-overview.ts'
import type { TableHeat as AnsweredHeat } from '../../packages/hashrange/src/workbench/heat/table-heat.ts'
import type { RangeName as AnsweredRange } from '../../packages/hashrange/src/workbench/heat/time-range.ts'
import type { WorkbenchInfo as AnsweredInfo } from '../../packages/hashrange/src/workbench/info.ts'
import type { ModelFileInfo } from '../../packages/hashrange/src/workbench/models/model-files.ts'
import type { ModelFile } from '../../packages/workbench/src/api/models.ts'
import type { WorkbenchInfo } from '../../packages/workbench/src/api-types.ts'
import type {
  HeatOverview,
  RangeName,
  TableHeat,
} from '../../packages/workbench/src/views/heat/answers/heat-types.ts'
import type { ModelledEntities } from '../../packages/workbench/src/views/items/find/entities.ts'

// The page runs in a browser and may not name the engine, whose types the answers are made of, nor the package that makes them,
// which is above it: it writes them out. The compiler tells here when the two no longer agree.
test('what the server answers about heat is what the page reads', () => {
  expectTypeOf<AnsweredOverview>().toExtend<HeatOverview>()
  expectTypeOf<AnsweredHeat>().toExtend<TableHeat>()
  expectTypeOf<RangeName>().toEqualTypeOf<AnsweredRange>()
})

test('what the server answers about itself and its models is what the page reads', () => {
  expectTypeOf<AnsweredInfo>().toExtend<WorkbenchInfo>()
  expectTypeOf<TableEntities>().toExtend<ModelledEntities>()
  expectTypeOf<ModelFileInfo>().toExtend<ModelFile>()
})
