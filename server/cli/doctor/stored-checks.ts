import { existsSync } from 'node:fs';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { readCertificateFacts } from '../../adapters/certificate-facts.ts';
import { verifyAudit } from '../../adapters/sqlite/audit-chain.ts';
import { Connection } from '../../adapters/sqlite/connection.ts';
import { storesOn, type SqliteStore } from '../../adapters/sqlite/open-store.ts';
import { newestWriteAt, storeFiles } from '../../adapters/sqlite/store-files.ts';
import type { Config } from '../../config.ts';
import { auditCheck } from '../../domain/health/audit-check.ts';
import { certificateCheck, type CertificateFacts } from '../../domain/health/certificate-check.ts';
import { checkOf } from '../../domain/health/check.ts';
import { databaseCheck } from '../../domain/health/database-check.ts';
import { hostChecks } from '../../domain/health/host-checks.ts';
import { intentsCheck } from '../../domain/health/intents-check.ts';
import { outboxCheck } from '../../domain/health/outbox-check.ts';
import { segmentsCheck } from '../../domain/health/segments-check.ts';
import { storeCheck, unreadableStore } from '../../domain/health/store-check.ts';
import { HostKeys } from '../../services/host-keys.ts';
import { readTlsFiles } from '../../tls.ts';

/** Where to look. */
export interface StoredCheckOptions {
  readonly config: Config;
  readonly databasePath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What only a look at the files can say, whether the server runs or not. */
export function fileChecks({
  config,
  databasePath,
}: Pick<StoredCheckOptions, 'config' | 'databasePath'>): readonly HealthCheck[] {
  if (!existsSync(databasePath)) return [];
  const unreadable = (reason: string): HealthCheck => databaseCheck(reason);
  return reading({ databasePath, unreadable }, (connection) => {
    const verdict = String(connection.pragma('quick_check(1)'));
    return [databaseCheck(verdict), ...(verdict === 'ok' ? notTakenOver(storesOn(connection), config) : [])];
  });
}

/** What the server would say of its store, its history, its hosts and its certificate, as far as the files know it. */
export function storedChecks(
  { config, databasePath, env }: StoredCheckOptions,
  now: number,
): readonly HealthCheck[] {
  const certificate = certificateCheck(
    { certificate: certificateOf(config), publicUrl: config.publicUrl },
    now,
  );
  if (!existsSync(databasePath)) return [unreadableStore('missing'), certificate];
  const unreadable = (reason: string): HealthCheck => unreadableStore({ reason });
  const checks = reading({ databasePath, unreadable }, (connection) =>
    checksOf(storesOn(connection), { databasePath, env }, now),
  );
  return [...checks, certificate];
}

function checksOf(
  store: SqliteStore,
  { databasePath, env }: Pick<StoredCheckOptions, 'databasePath' | 'env'>,
  now: number,
): readonly HealthCheck[] {
  const files = storeFiles(databasePath);
  const { segments, bytes, sealedTo, rows } = store.segments.totals();
  const hosts = store.fleet.hosts();
  const configs = hosts.map(({ config }) => config);
  const keys = new HostKeys({
    store: { hosts: () => configs, host: (id) => configs.find((host) => host.id === id) ?? null },
    secrets: { hostKey: () => null },
    env,
  });
  const audit = verifyAudit(store.audit);
  return [
    storeCheck(
      {
        failure: null,
        rows,
        sizeBytes: files.sizeBytes(),
        freeBytes: files.freeBytes(),
        lastCommitAt: newestWriteAt(databasePath),
      },
      now,
    ),
    ...hostChecks(
      hosts.map((host) => ({ ...host, logsDropped: null })),
      now,
    ),
    ...keys.health(),
    segmentsCheck({ segments, bytes, sealedTo, lastSealAt: null, failure: null }, now),
    intentsCheck({ ...store.intents.counts(now), unwritten: 0 }),
    auditCheck({ records: audit.records, problem: audit.ok ? null : audit.problem, at: now }, now),
    outboxCheck({ totals: store.outboxes.totals(), lastQuarantine: null, thread: null }, now),
  ];
}

/** Hosts of drover.yaml that the registry does not have: the file changed since the last start. */
function notTakenOver(store: SqliteStore, { fileHosts }: Config): readonly HealthCheck[] {
  const known = new Set(store.fleet.hosts().map(({ config }) => config.id));
  const missing = fileHosts.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return [];
  return [
    checkOf('file-hosts', 'Hosts of drover.yaml').warn({
      detail: `In the file but not taken over yet: ${missing.map(({ id }) => id).join(', ')}.`,
      remediation: 'Restart the server.',
    }),
  ];
}

function certificateOf({ tls }: Config): CertificateFacts | { readonly problem: string } | null {
  if (tls === null) return null;
  try {
    return readCertificateFacts(readTlsFiles(tls).cert);
  } catch (error) {
    return { problem: textOf(error) };
  }
}

function reading(
  {
    databasePath,
    unreadable,
  }: { readonly databasePath: string; readonly unreadable: (reason: string) => HealthCheck },
  look: (connection: Connection) => readonly HealthCheck[],
): readonly HealthCheck[] {
  let connection: Connection | null = null;
  try {
    connection = new Connection(databasePath, { readonly: true });
    return look(connection);
  } catch (error) {
    return [unreadable(textOf(error))];
  } finally {
    connection?.close();
  }
}

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}
