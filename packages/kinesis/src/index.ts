export { kinesisOperations } from './api/operations.ts'
export { kinesisShapes } from './api/shape-book.ts'
export { kinesisService } from './kinesis-service.ts'
export { kinesisWire } from './wire/wire-service.ts'
