import type { HealthCheck } from '#shared/schemas/info.ts';
import { checkOf } from './check.ts';

/** A certificate in use: the names it is for and when it ends. */
export interface CertificateFacts {
  readonly names: readonly string[];
  readonly validFrom: number;
  readonly validTo: number;
}

const DAY_MS = 86_400_000;
/** Automatic renewals happen a month before the end: one that is this close did not happen. */
const SOON_DAYS = 14;
const CERTIFICATE = checkOf('certificate', 'Certificate');
const dates = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** When the certificate ends; without one of our own, who encrypts instead. */
export function certificateCheck(
  {
    certificate,
    publicUrl,
  }: {
    readonly certificate: CertificateFacts | { readonly problem: string } | null;
    readonly publicUrl: string | null;
  },
  now: number,
): HealthCheck {
  if (certificate === null) {
    return CERTIFICATE.ok(
      publicUrl?.startsWith('https:') === true
        ? 'A proxy in front of Drover has it; when it ends is not known here.'
        : 'None: this is plain http. Browsers keep nothing offline over it, except on this machine itself.',
    );
  }
  if ('problem' in certificate) {
    return CERTIFICATE.fail({
      detail: `It cannot be used: ${certificate.problem}.`,
      remediation: 'Give a PEM certificate chain and its key.',
    });
  }
  const { names, validFrom, validTo } = certificate;
  const named = names.join(', ') || 'It';
  const remediation = 'Renew it and send the server SIGHUP: phones refuse one that is not valid.';
  if (now < validFrom) {
    return CERTIFICATE.fail({
      detail: `${named}: not valid before ${dates.format(validFrom)}.`,
      remediation: 'Set the clock of this machine, or use another certificate.',
    });
  }
  const days = Math.floor((validTo - now) / DAY_MS);
  if (validTo <= now) {
    return CERTIFICATE.fail({ detail: `${named}: expired on ${dates.format(validTo)}.`, remediation });
  }
  const detail = `${named}: expires on ${dates.format(validTo)}, ${days === 0 ? 'today' : `in ${days} ${days === 1 ? 'day' : 'days'}`}.`;
  return days < SOON_DAYS ? CERTIFICATE.warn({ detail, remediation }) : CERTIFICATE.ok(detail);
}
