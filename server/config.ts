import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { safeParse } from 'zod';
import {
  captureSettings,
  logSettings,
  retention,
  type CaptureSettings,
  type LogSettings,
  type DroverYaml,
  type FileHost,
  type Retention,
} from './domain/drover-yaml.ts';
import { parseDroverYaml } from './drover-file.ts';
import { SETTINGS, type SettingSpec } from './settings.ts';

/** Settings of one process, read once: flag, then environment, then drover.yaml, then default. */
export interface Config {
  /** Absolute. */
  readonly dataDir: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Origin without a trailing slash, or null. */
  readonly publicUrl: string | null;
  readonly trustProxy: boolean | readonly string[];
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  readonly pairingCode: string | null;
  readonly demo: boolean;
  /** The file that was read, or null. */
  readonly configFile: string | null;
  readonly fileHosts: readonly FileHost[];
  readonly retention: Retention;
  readonly captures: CaptureSettings;
  readonly logs: LogSettings;
}

type Values = Readonly<Record<string, unknown>>;

/** What a command line came to: settings, a wish for help, or what is wrong with it, one sentence a problem. */
export type ConfigResult =
  | {
      readonly kind: 'config';
      readonly config: Config;
      readonly positionals: readonly string[];
      /** Flags of the command as given, by name. */
      readonly flags: Values;
    }
  | { readonly kind: 'help' }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** Where settings come from; the working directory anchors relative paths. */
export interface ConfigSources {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Commands of the CLI take words; the server takes none. */
  readonly allowPositionals?: boolean;
  /** Flags of a command, which are not settings. */
  readonly extraFlags?: Readonly<Record<string, 'string' | 'boolean'>>;
}

type Name = keyof typeof SETTINGS;

/** Reads all settings. Nothing is guessed: a value that does not fit is a problem, never the default. */
export function loadConfig(sources: ConfigSources): ConfigResult {
  const flags = parseFlags(sources);
  if (flags.kind !== 'flags') return flags;
  const problems: string[] = [];
  const read = (name: Name, file: FileValues = NO_FILE): unknown =>
    readSetting(SETTINGS[name], { flags: flags.values, env: sources.env, file, problems });
  const at = (path: string) => resolve(sources.cwd, path);

  const dataDir = at(asText(read('dataDir')) ?? './data');
  const named = asText(read('config'));
  const configFile = named === null ? findConfigFile(dataDir, sources.cwd) : at(named);
  const { file, server } =
    configFile === null ? { file: {}, server: NO_FILE } : readDroverFile(configFile, problems);

  const host = asText(read('host', server)) ?? '127.0.0.1';
  const port = read('port', server);
  const publicUrl = asText(read('publicUrl', server));
  const trustProxy = read('trustProxy', server);
  const certFile = asText(read('tlsCert', server));
  const keyFile = asText(read('tlsKey', server));
  const pairingCode = asText(read('pairingCode'));
  const demo = read('demo') === true;
  if ((certFile === null) !== (keyFile === null)) {
    problems.push('a certificate needs its key: give both --tls-cert and --tls-key');
  }
  if (problems.length > 0) return { kind: 'invalid', problems };
  const config: Config = {
    dataDir,
    host,
    port: typeof port === 'number' ? port : 0,
    publicUrl,
    trustProxy: Array.isArray(trustProxy) ? trustProxy.map(String) : trustProxy === true,
    tls: certFile !== null && keyFile !== null ? { certFile: at(certFile), keyFile: at(keyFile) } : null,
    pairingCode,
    demo,
    configFile,
    fileHosts: file.hosts ?? [],
    retention: file.retention ?? retention.parse({}),
    captures: file.captures ?? captureSettings.parse({}),
    logs: file.logs ?? logSettings.parse({}),
  };
  return {
    kind: 'config',
    config: Object.freeze(config),
    positionals: flags.positionals,
    flags: flags.values,
  };
}

/** The settings part of `--help`. */
export function settingsHelp(): string {
  return Object.values(SETTINGS)
    .map((spec: SettingSpec) => {
      const usage =
        spec.flag === null ? `  ${spec.env}` : `  --${spec.flag}${spec.boolean ? '' : ` ${spec.value}`}`;
      const fallback =
        spec.fallback === null || spec.fallback === false ? '' : ` (default ${String(spec.fallback)})`;
      const variable = spec.flag === null || spec.env === null ? '' : `; ${spec.env}`;
      return `${usage}\n      ${spec.help}${fallback}${variable}`;
    })
    .join('\n');
}

type Flags =
  | { readonly kind: 'flags'; readonly values: Values; readonly positionals: readonly string[] }
  | { readonly kind: 'help' }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

function parseFlags(sources: ConfigSources): Flags {
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {
    help: { type: 'boolean', short: 'h' },
  };
  for (const spec of Object.values(SETTINGS)) {
    if (spec.flag !== null) options[spec.flag] = { type: spec.boolean ? 'boolean' : 'string' };
  }
  for (const [flag, type] of Object.entries(sources.extraFlags ?? {})) options[flag] = { type };
  try {
    const parsed = parseArgs({
      args: [...sources.argv],
      options,
      strict: true,
      allowPositionals: sources.allowPositionals ?? false,
    });
    if (parsed.values['help'] === true) return { kind: 'help' };
    return { kind: 'flags', values: parsed.values, positionals: parsed.positionals };
  } catch (error) {
    return { kind: 'invalid', problems: [error instanceof Error ? error.message : String(error)] };
  }
}

/** Values under `server:` of the file, and where each of them stands. */
interface FileValues {
  readonly values: Values;
  readonly where: (key: string) => string;
}

const NO_FILE: FileValues = { values: {}, where: () => '' };

function readSetting(
  spec: SettingSpec,
  from: {
    readonly flags: Values;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly file: FileValues;
    readonly problems: string[];
  },
): unknown {
  const { flags, env, file, problems } = from;
  const fromEnv = spec.env === null ? undefined : env[spec.env];
  const candidates: readonly (readonly [string, unknown])[] = [
    [`--${spec.flag}`, spec.flag === null ? undefined : flags[spec.flag]],
    // An empty variable is an unset one: compose files and unit files write `NAME=` for that.
    [spec.env ?? '', fromEnv === '' ? undefined : fromEnv],
    [file.where(spec.fileKey ?? ''), spec.fileKey === null ? undefined : file.values[spec.fileKey]],
  ];
  const found = candidates.find(([, value]) => value !== undefined);
  if (!found) return spec.fallback;
  const parsed = safeParse(spec.schema, found[1]);
  if (parsed.success) return parsed.data;
  problems.push(`${found[0]}: ${parsed.error.issues.map((issue) => issue.message).join('; ')}`);
  return spec.fallback;
}

function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function findConfigFile(dataDir: string, cwd: string): string | null {
  return [join(dataDir, 'drover.yaml'), join(cwd, 'drover.yaml')].find((path) => existsSync(path)) ?? null;
}

function readDroverFile(
  path: string,
  problems: string[],
): { readonly file: DroverYaml; readonly server: FileValues } {
  const nothing = { file: {}, server: NO_FILE };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    problems.push(`${path}: cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return nothing;
  }
  const parsed = parseDroverYaml(text);
  if (!parsed.ok) {
    problems.push(...parsed.problems.map((problem) => `${path}: ${problem}`));
    return nothing;
  }
  const where = (key: string) => `${path}: ${parsed.linePrefix(['server', key])}server.${key}`;
  return { file: parsed.value, server: { values: parsed.value.server ?? {}, where } };
}
