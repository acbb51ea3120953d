import { ShapeBook } from '@hashrange/engine'
import { shapeLines as iamLines } from './iam-shapes.generated.ts'
import { shapeLines as stsLines } from './sts-shapes.generated.ts'

export const iamShapes = new ShapeBook(iamLines)
export const stsShapes = new ShapeBook(stsLines)
