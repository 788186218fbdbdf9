import { readCertificateFacts } from './adapters/certificate-facts.ts';
import { readMachineFacts } from './adapters/machine-facts.ts';
import { walkOwnAudit } from './adapters/sqlite/audit-chain.ts';
import type { Config } from './config.ts';
import type { AuditLog } from './domain/audit-log.ts';
import { certificateCheck } from './domain/health/certificate-check.ts';
import { machineChecks } from './domain/health/machine-checks.ts';
import type { Clock, HealthSource, Log } from './domain/ports.ts';
import { AuditWatch } from './services/audit-watch.ts';
import type { TlsFiles } from './tls.ts';

/** What no service of its own knows about the server's health. */
export interface ServerHealthOptions {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly tls: TlsFiles | null;
  readonly audit: Pick<AuditLog, 'read' | 'lastId'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The machine, the certificate in use, and the audit log. */
export interface ServerHealth {
  readonly auditWatch: AuditWatch;
  readonly machine: HealthSource;
  /** Another certificate is in use from now on. */
  replaceTls(tls: TlsFiles): void;
}

/** Puts together what looks at the machine rather than at a service. */
export function createServerHealth({
  config,
  env,
  tls,
  audit,
  clock,
  log,
}: ServerHealthOptions): ServerHealth {
  let certificate = tls === null ? null : readCertificateFacts(tls.cert);
  const { publicUrl } = config;
  return {
    auditWatch: new AuditWatch({ walk: () => walkOwnAudit(audit), clock, log }),
    machine: {
      health: () => [
        certificateCheck({ certificate, publicUrl }, clock.now()),
        ...machineChecks(readMachineFacts(config, env)),
      ],
    },
    replaceTls(next) {
      certificate = readCertificateFacts(next.cert);
    },
  };
}
