import { X509Certificate } from 'node:crypto';
import type { CertificateFacts } from '../domain/health/certificate-check.ts';

/** Reads the names and times of the first certificate of a PEM chain; throws when it is none. */
export function readCertificateFacts(chain: Buffer): CertificateFacts {
  const certificate = new X509Certificate(chain);
  return {
    names: namesOf(certificate),
    validFrom: certificate.validFromDate.getTime(),
    validTo: certificate.validToDate.getTime(),
  };
}

function namesOf({ subjectAltName, subject }: X509Certificate): readonly string[] {
  const alternatives = [...(subjectAltName ?? '').matchAll(/(?:DNS|IP Address):([^,\s]+)/g)];
  if (alternatives.length > 0) return alternatives.flatMap(([, name]) => name ?? []);
  const common = /^CN=(.+)$/m.exec(subject)?.[1];
  return common === undefined ? [] : [common];
}
