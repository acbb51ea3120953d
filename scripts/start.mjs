// `npm start`: installs and builds what a server needs, and is the server; then, beside it, the workbench's page and the types are built. npm
// passes SIGINT and SIGTERM on to the process that it has started, but not to children of that one; so the script in package.json begins with
// `exec`, and the server is this process.

// npm passes no other signal on, and cannot when it is killed.
const npm = process.ppid
const watch = setInterval(() => {
  if (process.ppid === npm) return
  clearInterval(watch)
  process.kill(process.pid, 'SIGTERM')
}, 500).unref()

const { buildRest } = await import('./prepare.mjs')
await import('../packages/hashrange/dist/main.js')
if (process.exitCode === undefined) await buildRest(true)
