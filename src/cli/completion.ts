/** `peyk completion …`: prints a shell script that completes commands and options. */
import { Argument, Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CliIo } from "./io.ts";

interface CompletionEntry {
  /** `account create`; empty for `peyk` itself. */
  path: string;
  commands: readonly { name: string; description: string }[];
  options: readonly { flag: string; description: string; takesValue: boolean }[];
}

export function completionCommand(io: CliIo) {
  const writers = { bash: bashScript, zsh: zshScript, fish: fishScript };
  return new Command("completion")
    .description("print a script for your shell that completes commands and options")
    .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  peyk completion bash > /etc/bash_completion.d/peyk\n" +
        "  peyk completion zsh > /usr/local/share/zsh/site-functions/_peyk\n" +
        "  peyk completion fish > ~/.config/fish/completions/peyk.fish\n",
    )
    .action((shell, _options, command) => {
      if (command.parent !== null) io.out(writers[shell](entriesOf(command.parent, [])));
    });
}

function entriesOf(command: CommandUnknownOpts, path: readonly string[]): CompletionEntry[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((sub) => sub.name() !== "help");
  const entry = {
    path: path.join(" "),
    commands: commands.map((sub) => ({ name: sub.name(), description: sub.description() })),
    options: help.visibleOptions(command).map(({ long, short, description, required, optional }) => ({
      flag: long ?? short ?? "",
      description,
      takesValue: required || optional,
    })),
  };
  return [entry, ...commands.flatMap((sub) => entriesOf(sub, [...path, sub.name()]))];
}

/** Names contain no character that is special to a shell; descriptions do. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Functions shared by bash and zsh: the command named by the words so far, its completions, and options that take a
 * value.
 */
function sharedFunctions(entries: readonly CompletionEntry[]): string {
  const paths = entries.flatMap(({ path }) => (path === "" ? [] : [quoted(path)]));
  const cases = entries.map(({ path, commands, options }) => {
    const words = [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)];
    return `    ${quoted(path)}) echo ${quoted(words.join(" "))} ;;`;
  });
  const options = entries.flatMap((entry) => entry.options);
  const withValue = new Set(options.flatMap(({ flag, takesValue }) => (takesValue ? [flag] : [])));
  return `_peyk_command() {
  local command="" word
  for word in "$@"; do
    case "\${command:+$command }$word" in
      ${paths.join("|")}) command="\${command:+$command }$word" ;;
    esac
  done
  echo "$command"
}
_peyk_words() {
  case "$1" in
${cases.join("\n")}
  esac
}
_peyk_takes_value() {
  case "$1" in ${[...withValue].join("|")}) return 0 ;; esac
  return 1
}
`;
}

const bashScript = (entries: readonly CompletionEntry[]) => `# bash completion for peyk
${sharedFunctions(entries)}_peyk() {
  COMPREPLY=()
  _peyk_takes_value "\${COMP_WORDS[COMP_CWORD-1]}" && return
  local words
  words="$(_peyk_words "$(_peyk_command "\${COMP_WORDS[@]:1:COMP_CWORD-1}")")"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _peyk peyk
`;

const zshScript = (entries: readonly CompletionEntry[]) => `#compdef peyk
${sharedFunctions(entries)}_peyk() {
  if _peyk_takes_value "\${words[CURRENT-1]}"; then
    _files
    return
  fi
  compadd -- \${=$(_peyk_words "$(_peyk_command "\${(@)words[2,CURRENT-1]}")")} || _files
}
if [ "$funcstack[1]" = "_peyk" ]; then _peyk "$@"; else compdef _peyk peyk; fi
`;

function fishScript(entries: readonly CompletionEntry[]): string {
  const paths = entries.flatMap(({ path }) => (path === "" ? [] : [quoted(path)]));
  const lines = entries.flatMap(({ path, commands, options }) => {
    const condition = `complete -c peyk -n ${quoted(`test (__peyk_command) = "${path}"`)}`;
    return [
      ...commands.map(({ name, description }) => `${condition} -f -a ${name} -d ${quoted(description)}`),
      ...options.map(({ flag, description, takesValue }) => {
        const name = flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
        return `${condition} ${name}${takesValue ? " -r" : ""} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# fish completion for peyk
function __peyk_command
    set -l command ""
    for word in (commandline -opc)[2..-1]
        set -l longer (string trim -- "$command $word")
        contains -- $longer ${paths.join(" ")}; and set command $longer
    end
    echo $command
end
${lines.join("\n")}
`;
}
