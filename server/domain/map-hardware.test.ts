import { describe, expect, it } from 'vitest';
import { hardwareReply } from '#shared/upstream/host-replies.ts';
import { recordedBody } from '../testing/recordings.ts';
import { mapHardware } from './map-hardware.ts';

const map = (json: unknown) => mapHardware(hardwareReply.parse(json));

describe('mapHardware', () => {
  it.each(['v250', 'main'])('reads the recording %s', (version) => {
    expect(map(JSON.parse(recordedBody(version, '/api/hardware')))).toEqual({
      os: 'debian 12.11',
      kernel: '6.12.48-generic',
      architecture: 'x86_64',
      environment: 'container',
      cpu: { model: 'AMD EPYC', sockets: 1, cores: 2, threads: 2 },
      memoryMb: 24_576,
      accelerators: [
        {
          kind: 'gpu',
          model: 'NVIDIA GeForce RTX 3090',
          architecture: 'Ampere',
          memoryKind: 'dedicated',
          memoryMb: 24_576,
          driver: 'NVIDIA 570.86.15',
          powerLimitW: 350,
        },
        {
          kind: 'gpu',
          model: 'NVIDIA GB10',
          architecture: null,
          memoryKind: 'dedicated',
          memoryMb: null,
          driver: 'NVIDIA 570.86.15',
          powerLimitW: null,
        },
      ],
    });
  });

  it('knows nothing of a report that says nothing, or says it oddly', () => {
    const nothing = {
      os: null,
      kernel: null,
      architecture: null,
      environment: null,
      cpu: { model: null, sockets: null, cores: null, threads: null },
      memoryMb: null,
      accelerators: [],
    };
    expect(map({})).toEqual(nothing);
    expect(map({ cpu: 7, memory: { capacity_bytes: -1 }, accelerators: 'x', operating_system: [] })).toEqual(
      nothing,
    );
  });

  it('bounds what a host may say of itself', () => {
    const accelerators = Array.from({ length: 500 }, () => ({ kind: 'gpu', model: 'x'.repeat(5000) }));
    const read = map({ accelerators });
    expect(read.accelerators).toHaveLength(16);
    expect(JSON.stringify(read).length).toBeLessThan(6_000);
  });
});
