import { boundedText } from '#shared/lib/bounded-text.ts';
import { redactText } from '#shared/lib/redact.ts';
import type { HostHardware } from '#shared/schemas/host.ts';
import { acceleratorRow, type HardwareReply } from '#shared/upstream/host-replies.ts';
import { readRows } from '#shared/upstream/lenient.ts';

const MAX_TEXT = 100;
const MAX_ACCELERATORS = 16;
const BYTES_PER_MB = 1024 * 1024;

/** What a hardware report says, shortened to what a person reads. */
export function mapHardware(reply: HardwareReply): HostHardware {
  const { operating_system: os, cpu } = reply;
  const rows = readRows(acceleratorRow, reply.accelerators)?.rows ?? [];
  return {
    os: words(os?.name ?? os?.family, os?.version),
    kernel: words(os?.kernel),
    architecture: words(reply.architecture?.name ?? reply.architecture?.raw_name),
    environment: words(reply.environment?.kind),
    cpu: {
      model: words(cpu?.model),
      sockets: whole(cpu?.socket_count),
      cores: whole(cpu?.physical_core_count),
      threads: whole(cpu?.logical_thread_count),
    },
    memoryMb: megabytes(reply.memory?.capacity_bytes),
    accelerators: rows.slice(0, MAX_ACCELERATORS).map((row) => ({
      kind: words(row.kind),
      model: words(row.model ?? row.vendor),
      architecture: words(row.architecture),
      memoryKind: words(row.memory?.kind),
      memoryMb: megabytes(row.memory?.capacity_bytes),
      driver: words(row.driver?.name, row.driver?.version),
      powerLimitW: row.power_limit_watts && row.power_limit_watts > 0 ? row.power_limit_watts : null,
    })),
  };
}

/** Words that say something, joined; tools write `[N/A]` where they know nothing. */
function words(...parts: readonly (string | null | undefined)[]): string | null {
  const known = parts.filter((part) => part && !/^\[?(n\/a|unknown|not supported)\]?$/i.test(part));
  return known.length === 0
    ? null
    : boundedText(redactText(known.join(' ').slice(0, 2 * MAX_TEXT)), MAX_TEXT);
}

function whole(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function megabytes(bytes: number | null | undefined): number | null {
  return typeof bytes === 'number' && bytes > 0 && bytes < Number.MAX_SAFE_INTEGER
    ? Math.round(bytes / BYTES_PER_MB)
    : null;
}
