import { serviceInputReader, ShapeBook, type ReadServiceInput } from '@hashrange/engine'
import { shapeLines } from './cloudformation-shapes.generated.ts'

export const cloudFormationShapes = new ShapeBook(shapeLines)

export const readCloudFormationInput: ReadServiceInput = serviceInputReader(cloudFormationShapes)
