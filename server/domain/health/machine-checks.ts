import type { HealthCheck } from '#shared/schemas/info.ts';
import { sizeWords } from '../size-words.ts';
import { checkOf } from './check.ts';

/** What the machine and the files beside the database say. */
export interface MachineFacts {
  readonly nodeVersion: string;
  /** The drover.yaml that was read; null: none. */
  readonly configFile: string | null;
  /** Variables of the environment that hosts of drover.yaml name and that are not set. */
  readonly unsetVariables: readonly string[];
  readonly dataDir: string;
  readonly folder: 'missing' | 'readonly' | 'writable';
  /** Room on its disk; null where that cannot be asked. */
  readonly freeBytes: number | null;
  /** Whether the file with the hosts' keys is there, and for whom. */
  readonly secrets: 'none' | 'private' | 'open';
}

/** The oldest Node that runs Drover. */
const OLDEST_NODE = 24;
const NODE = checkOf('node', 'Node');
const SETTINGS = checkOf('config', 'Settings');
const FOLDER = checkOf('data', 'Data folder');
const SECRETS = checkOf('secrets', 'Keys of hosts');

/** Node, the settings, the data folder and the file with keys: the same whoever asks, the server or the command line. */
export function machineChecks(facts: MachineFacts): readonly HealthCheck[] {
  return [nodeCheck(facts), settingsCheck(facts), folderCheck(facts), secretsCheck(facts)];
}

function nodeCheck({ nodeVersion }: MachineFacts): HealthCheck {
  if (Number(nodeVersion.split('.')[0]) >= OLDEST_NODE) return NODE.ok(`Node ${nodeVersion}.`);
  return NODE.fail({
    detail: `Node ${nodeVersion} is too old.`,
    remediation: `Install Node ${OLDEST_NODE}, or run "npm ci" in Drover's folder.`,
  });
}

function settingsCheck({ configFile, unsetVariables }: MachineFacts): HealthCheck {
  if (unsetVariables.length > 0) {
    return SETTINGS.warn({
      detail: `Not set in the environment: ${unsetVariables.join(', ')}.`,
      remediation: 'Set it where the server is started, and restart Drover.',
    });
  }
  return SETTINGS.ok(
    configFile === null ? 'No drover.yaml: flags, environment and defaults.' : `From ${configFile}.`,
  );
}

function folderCheck({ dataDir, folder, freeBytes }: MachineFacts): HealthCheck {
  switch (folder) {
    case 'missing':
      return FOLDER.warn({
        detail: `${dataDir} does not exist yet.`,
        remediation: 'The first start makes it.',
      });
    case 'readonly':
      return FOLDER.fail({
        detail: `${dataDir} cannot be written.`,
        remediation: 'Make it writable for the user the server runs as.',
      });
    case 'writable':
      return FOLDER.ok(`${dataDir}${freeBytes === null ? '' : `, ${sizeWords(freeBytes)} free`}.`);
  }
}

function secretsCheck({ dataDir, secrets }: MachineFacts): HealthCheck {
  switch (secrets) {
    case 'none':
      return SECRETS.ok('No key of a host is stored.');
    case 'private':
      return SECRETS.ok('secrets.json is readable by its owner alone.');
    case 'open':
      return SECRETS.fail({
        detail: 'secrets.json can be read by other users of this machine.',
        remediation: `chmod 600 ${dataDir}/secrets.json`,
      });
  }
}
