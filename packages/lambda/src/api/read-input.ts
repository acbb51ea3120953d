import { serviceInputReader, ShapeBook, type ReadServiceInput } from '@hashrange/engine'
import { shapeLines } from './lambda-shapes.generated.ts'

/** Parsed JSON as the input of an operation of Lambda. */
export const readLambdaInput: ReadServiceInput = serviceInputReader(new ShapeBook(shapeLines))
