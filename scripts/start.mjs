// `npm start`: installs and builds what is missing, and then is the server, all in one process. npm passes SIGINT and SIGTERM on to the process
// that it has started, but not to children of that one; so the script in package.json begins with `exec`, and nothing is started here.

// npm passes no other signal on, and cannot when it is killed.
const npm = process.ppid
const watch = setInterval(() => {
  if (process.ppid === npm) return
  clearInterval(watch)
  process.kill(process.pid, 'SIGTERM')
}, 500).unref()

await import('./prepare.mjs')
await import('../packages/hashrange/dist/main.js')
