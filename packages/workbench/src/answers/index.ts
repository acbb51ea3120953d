// What the server answers to the page: written once, here, since the page may not import what is above it.

export type {
  Consumer,
  EventsOverview,
  FunctionLog,
  KinesisConsumer,
  MappingConsumer,
  PipeConsumer,
  ReplayAnswer,
  TableEvents,
  WebhookConsumer,
} from './events.ts'
export type {
  HeatOverview,
  HottestKey,
  KeyRangeHistory,
  OperationHistory,
  ErrorHistory,
  PlaceHeat,
  PlaceHistory,
  PlaceOverview,
  RangeName,
  TableHeat,
  TimeRange,
  TopKeys,
} from './heat.ts'
export type { AwsProfile, ConnectionColour, ConnectionInfo, CopyState } from './connections.ts'
export type { ScopeInfo, SignedInAs, SignedInOperator, WorkbenchInfo } from './info.ts'
export type {
  DescribedModel,
  DraftAnswer,
  ModelFile,
  ModelFileError,
  ModelledEntities,
  ModelSource,
  TypeAnswer,
  TypeProblem,
} from './models.ts'
export type { ConflictingWrite, ConflictsAnswer, GlobalTable, RegionsAnswer, RegionState } from './regions.ts'
