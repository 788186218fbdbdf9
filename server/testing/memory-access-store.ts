import type { AccessStore, ApiKeyRecord, DeviceRecord, PairingCodeRecord } from '../domain/access-ports.ts';

/** {@link AccessStore} in memory, for tests of what stands above it. */
export function memoryAccessStore(): AccessStore {
  const devices = new Map<string, DeviceRecord>();
  const keys = new Map<string, ApiKeyRecord>();
  const codes = new Map<string, PairingCodeRecord>();
  const change = <Row>(rows: Map<string, Row>, id: string, patch: Partial<Row>): boolean => {
    const row = rows.get(id);
    if (row === undefined) return false;
    rows.set(id, { ...row, ...patch });
    return true;
  };
  return {
    hasDevice: () => devices.size > 0,
    devices: () => [...devices.values()],
    deviceBySession: (hash) => [...devices.values()].find((device) => device.sessionHash === hash) ?? null,
    touchDevice: (id, lastSeenAt) => void change(devices, id, { lastSeenAt }),
    revokeDevice: (id, revokedAt) =>
      devices.get(id)?.revokedAt === null ? change(devices, id, { revokedAt }) : false,
    keys: () => [...keys.values()],
    keyByHash: (hash) => [...keys.values()].find((key) => key.keyHash === hash) ?? null,
    insertKey: (key) => void keys.set(key.id, key),
    touchKey: (id, lastUsedAt) => void change(keys, id, { lastUsedAt }),
    revokeKey: (id, revokedAt) =>
      keys.get(id)?.revokedAt === null ? change(keys, id, { revokedAt }) : false,
    insertCode(code) {
      for (const [hash, known] of codes) {
        if (code.kind === 'first_start' && known.kind === 'first_start' && known.usedAt === null)
          codes.delete(hash);
      }
      if (codes.get(code.codeHash)?.usedAt == null) codes.set(code.codeHash, code);
    },
    code: (hash) => codes.get(hash) ?? null,
    redeem(codeHash, device, now) {
      const code = codes.get(codeHash);
      if (code === undefined) return { kind: 'unknown' };
      if (code.usedAt !== null) return { kind: 'used' };
      if (code.expiresAt !== null && now >= code.expiresAt) return { kind: 'expired' };
      if (code.kind === 'first_start' && devices.size > 0) return { kind: 'unknown' };
      codes.set(codeHash, { ...code, usedAt: now });
      devices.set(device.id, { ...device, role: code.role, revokedAt: null });
      return { kind: 'paired', role: code.role };
    },
  };
}
