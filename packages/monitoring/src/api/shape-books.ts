import { ShapeBook } from '@hashrange/engine'
import { shapeLines as autoScalingLines } from './auto-scaling-shapes.generated.ts'
import { shapeLines as cloudWatchLines } from './cloudwatch-shapes.generated.ts'

/** The input shapes of Application Auto Scaling. */
export const autoScalingShapes = new ShapeBook(autoScalingLines)

/** The input shapes of CloudWatch. */
export const cloudWatchShapes = new ShapeBook(cloudWatchLines)
