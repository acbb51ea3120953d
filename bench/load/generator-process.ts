import { takeOrders } from '../measure/order-taker.ts'
import { runLoad } from './run-load.ts'

// A process of its own, so that the load's cost never falls on a server's event loop.
takeOrders(runLoad)
