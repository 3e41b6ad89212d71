/** `peyk config …`: the settings that a start in this environment would use. It needs no running service. */
import { exampleFile, tomlValue } from "../config/example.ts";
import { type LoadedSettings, loadSettings } from "../config/settings.ts";
import { type ShownSetting, shownSettings } from "../config/shown-settings.ts";
import { noun } from "./declared.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { checkCurrency } from "./kept-currency.ts";
import { unusableFiles } from "./service-files.ts";
import { checkedProviders } from "./sign-on-check.ts";
import { formatTable, joinLines } from "./text.ts";
import { connect, dataDirOf, print, type VerbWords, verb } from "./verb.ts";

export interface SettingFlags {
  config?: string | undefined;
  dataDir?: string | undefined;
  listen?: string | undefined;
  consoleListen?: string | undefined;
}

export type GoodSettings = Extract<LoadedSettings, { ok: true }>;

/** Settings from flags, environment and file. @throws CommandFailed with every problem */
export function settingsFrom(io: CliIo, flags: SettingFlags): GoodSettings {
  const loaded = loadSettings({
    flags: definedOnly({ data_dir: flags.dataDir, listen: flags.listen, console_listen: flags.consoleListen }),
    env: io.env,
    readFile: io.readFile,
    configFile: flags.config,
  });
  if (loaded.ok) return loaded;
  const count = loaded.problems.length;
  const head = `The settings have ${count === 1 ? "a problem" : `${count} problems`}:`;
  const messages = loaded.problems.map((problem) => problem.message);
  throw new CommandFailed("settings_invalid", [head, ...messages].join("\n"), loaded.problems);
}

function definedOnly(flags: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
}

export const configCommand = noun("config", "the settings of this machine", { show, check, example });

function configVerb(usage: string, words: VerbWords) {
  return verb(usage, words).option(
    "--config <file>",
    "settings file (PEYK_CONFIG, <data-dir>/peyk.toml, /etc/peyk/peyk.toml)",
  );
}

function show(io: CliIo) {
  const words = {
    does: "show the settings that a start with this environment would use",
    examples: ["peyk config show --origin", "peyk config show --running --origin"],
  };
  return configVerb("show", words)
    .option("--origin", "also show where each value comes from")
    .option("--running", "those that the running service was started with; what is confidential only as set")
    .action(async (options) => {
      const shown =
        options.running === true
          ? (await connect(io, options)("GET /settings")).settings
          : shownSettings(settingsFrom(io, options));
      const answer = options.origin === true ? shown : shown.map(({ key, value }) => ({ key, value }));
      const asObject = Object.fromEntries(
        answer.map(({ key, value, ...rest }) => [key, options.origin === true ? { value, ...rest } : value]),
      );
      print(io, options, asObject, () => settingTable(shown, options.origin === true));
    });
}

function settingTable(shown: readonly ShownSetting[], withOrigin: boolean): string {
  const rows = shown.map(({ key, value, origin }) => {
    const cells = [key, value === null ? "-" : tomlValue(value)];
    return withOrigin ? [...cells, origin] : cells;
  });
  return formatTable(withOrigin ? ["SETTING", "VALUE", "ORIGIN"] : ["SETTING", "VALUE"], rows);
}

function check(io: CliIo) {
  const words = {
    does: "check the settings and name every problem, without a start",
    examples: ["peyk config check --config /etc/peyk/peyk.toml"],
  };
  return configVerb("check", words).action(async (options) => {
    const good = settingsFrom(io, options);
    const { settings, file } = good;
    const dataDir = dataDirOf(io, options);
    const unusable = unusableFiles(settings, file, dataDir);
    if (unusable.length > 0) {
      throw new CommandFailed(
        "settings_invalid",
        ["The settings name files that cannot be used:", ...unusable].join("\n"),
      );
    }
    const providers = await checkedProviders(settings);
    if (providers.unusable.length > 0) throw new CommandFailed("settings_invalid", providers.unusable.join("\n"));
    const currency = checkCurrency(good, dataDir);
    if (currency.state === "changed") throw new CommandFailed("currency_changed", currency.words);
    const warnings = [
      ...good.warnings,
      ...providers.warnings,
      ...(currency.state === "unknown" ? [currency.words] : []),
    ];
    const source = file === null ? "no settings file; environment and defaults" : file;
    const lines = [`The settings are good (${source}).`, ...warnings.map((warning) => `Warning: ${warning}`)];
    print(io, options, { ok: true, file, warnings }, () => joinLines(lines));
  });
}

function example(io: CliIo) {
  const words = {
    does: "print a settings file with every key, its environment name and default",
    examples: ["peyk config example > peyk.toml"],
  };
  return verb("example", words).action((options) => {
    print(io, options, { file: exampleFile() }, ({ file }) => file);
  });
}
