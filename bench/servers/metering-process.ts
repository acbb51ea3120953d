import { Engine, openLmdbStore } from '@hashrange/engine'
import { serve } from '@hashrange/server'

/** hashrange on disk, with or without its metering: `metering-process.js <port> <folder> on|off`. */
const [port = '', path = '', metering = ''] = process.argv.slice(2)

Buffer.poolSize = 256 * 1024
const engine = await Engine.open({ store: await openLmdbStore({ path }), isMetered: metering === 'on' })
const server = await serve(engine, { host: '127.0.0.1', port: Number(port) })
process.once('SIGTERM', () => {
  void server
    .close()
    .then(() => engine.close())
    .then(() => process.exit(0))
})
