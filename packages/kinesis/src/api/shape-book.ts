import { ShapeBook, serviceInputReader, type ReadServiceInput } from '@hashrange/engine'
import { shapeLines } from './kinesis-shapes.generated.ts'

/** The input shapes of Kinesis. */
export const kinesisShapes = new ShapeBook(shapeLines)

/** Parsed JSON as the input of an operation of Kinesis. */
export const readKinesisInput: ReadServiceInput = serviceInputReader(kinesisShapes)
