#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { readCommandLine } from './command-line.ts'
import { helpText } from './help-text.ts'
import { packageVersion } from './package-version.ts'

// The AWS SDK warns about old versions of Node. Here the SDK is our choice, and its warning would come before every
// output.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'

const command = readCommandLine(process.argv.slice(2), process.env)

switch (command.kind) {
  case 'help':
    console.log(helpText)
    break
  case 'version':
    console.log(packageVersion())
    break
  case 'mistake':
    console.error(`hashrange: ${command.message}`)
    process.exitCode = 2
    break
  case 'transfer': {
    const { runTransfer } = await import('./commands/run-transfer.ts')
    process.exitCode = await runTransfer(command.command, command.words)
    // Handlers of signals would keep the process.
    process.exit()
    break
  }
  case 'model': {
    const { runModelCommand } = await import('./commands/run-model-command.ts')
    process.exitCode = await runModelCommand(command.command, command.words)
    break
  }
  case 'top': {
    const { runTop } = await import('./commands/run-top.ts')
    process.exitCode = await runTop(command.words)
    break
  }
  case 'token': {
    const { runToken } = await import('./commands/token.ts')
    process.exitCode = await runToken(command.words)
    break
  }
  case 'workbench': {
    const { runWorkbench } = await import('./run-workbench.ts')
    process.exitCode = await runWorkbench(command.words)
    break
  }
  case 'doctor': {
    const { runDoctor } = await import('./commands/doctor.ts')
    process.exitCode = await runDoctor(command.words)
    break
  }
  case 'completion': {
    const { runCompletion } = await import('./commands/completion.ts')
    process.exitCode = runCompletion(command.words)
    break
  }
  case 'verify': {
    const { runVerify } = await import('./commands/run-verify.ts')
    process.exitCode = await runVerify(command.words)
    // Handlers of signals would keep the process.
    process.exit()
    break
  }
  case 'start': {
    // A display must not keep a database from its work.
    for (const file of command.settings.models ?? []) {
      if (!existsSync(file))
        console.error(
          `hashrange: --model: there is no file or folder ${file}. The workbench will show it once it exists.`,
        )
    }
    // Loaded here, so that the other commands start quickly.
    const { start } = await import('./start.ts')
    await start(command.settings)
    break
  }
}
