const help = `hashrange completion SHELL: prints a completion script for bash, zsh or fish

  bash   echo 'source <(hashrange completion bash)' >> ~/.bashrc
  zsh    echo 'source <(hashrange completion zsh)' >> ~/.zshrc
  fish   hashrange completion fish > ~/.config/fish/completions/hashrange.fish`

/** Runs `hashrange completion`, and returns its exit code: 2 for a mistake. */
export function runCompletion(words: readonly string[]): number {
  const [shell, ...rest] = words
  if (shell === '--help' || shell === '-h') {
    console.log(help)
    return 0
  }
  const script = rest.length > 0 ? undefined : scripts.get(shell ?? '')
  if (script === undefined) {
    console.error('hashrange: Name a shell: bash, zsh or fish. See: hashrange completion --help')
    return 2
  }
  console.log(script)
  return 0
}

// The help texts name every command and every flag: the scripts read them there, so that they are never out of date.

const bash = String.raw`_hashrange() {
  local word=\${COMP_WORDS[COMP_CWORD]} choices
  if [ "$COMP_CWORD" -eq 1 ]; then
    choices=$(hashrange help 2>/dev/null | sed -n 's/^  hashrange \([a-z][a-z]*\).*/\1/p' | sort -u)
  elif [[ $word == -* ]]; then
    choices=$(hashrange help "\${COMP_WORDS[1]}" 2>/dev/null | grep -oE -- '--[a-z][a-z-]+' | sort -u)
  else
    COMPREPLY=($(compgen -f -- "$word"))
    return
  fi
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
}
complete -o filenames -F _hashrange hashrange`.replaceAll(String.raw`\$`, '$')

const fish =
  String.raw`complete -c hashrange -n __fish_use_subcommand -f -a "(hashrange help 2>/dev/null | string replace -rf '^  hashrange ([a-z]+).*' '\$1' | sort -u)"
complete -c hashrange -n 'not __fish_use_subcommand' -a "(hashrange help (commandline -opc)[2] 2>/dev/null | string match -ra -- '--[a-z][a-z-]+' | sort -u)"`.replaceAll(
    String.raw`\$`,
    '$',
  )

const scripts: ReadonlyMap<string, string> = new Map([
  ['bash', bash],
  ['zsh', `autoload -U +X bashcompinit && bashcompinit\n${bash}`],
  ['fish', fish],
])
