import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { RouteContract } from '#shared/http/define-route.ts';
import { routes } from '#shared/http/routes.ts';
import { must } from '#shared/lib/assert.ts';
import { ROLES, roleAllows, type Role } from '#shared/schemas/auth.ts';
import { type IntentState } from '#shared/schemas/intent.ts';
import { intentRequest } from '#shared/schemas/intent-request.ts';
import { CLI_ACTOR } from '../domain/audit-log.ts';
import { receivedView } from '../domain/intent-receipt.ts';
import { realisticSamples } from '#sync/testing/realistic-performance.ts';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';
import { requestRow } from '../testing/activity-rows.ts';
import { storedOf } from '../testing/performance-rows.ts';

/** Whoever may try: nobody, somebody whose time is over, and each role as a device and as a key. */
type Caller =
  | { readonly kind: 'nobody' | 'revoked' | 'wrong-key' | 'foreign-page' }
  | { readonly kind: 'device' | 'key'; readonly role: Role };

const CALLERS: readonly Caller[] = [
  { kind: 'nobody' },
  { kind: 'revoked' },
  { kind: 'wrong-key' },
  { kind: 'foreign-page' },
  ...ROLES.flatMap((role): Caller[] => [
    { kind: 'device', role },
    { kind: 'key', role },
  ]),
];

/** A sound request, made anew for each caller. */
interface Ask {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: object;
}

interface Case {
  readonly ask: (world: TestApp) => Ask | Promise<Ask>;
  /** Status for whoever has the role. */
  readonly done: number;
  /** Status for those with the role whom a rule of the route itself refuses; left out: none. */
  readonly ownRule?: (caller: { readonly kind: 'device' | 'key'; readonly role: Role }) => number | null;
}

const adminOnly = (status: number) => (caller: { readonly role: Role }) =>
  caller.role === 'admin' ? null : status;
const nothing = (): Ask => ({});

/** Every route with a request that would work: one that is added without being tried here does not compile. */
const CASES: Readonly<Record<keyof typeof routes, Case>> = {
  info: { ask: nothing, done: 200 },
  health: { ask: nothing, done: 200 },
  pair: {
    ask: ({ pairing }) => ({ body: { code: pairing.issueCode('viewer').code, label: 'new' } }),
    done: 200,
  },
  pollPairing: { ask: () => ({ body: { requestId: 'nobody-asked' } }), done: 410 },
  createPairingCode: {
    ask: () => ({ body: { role: 'viewer' } }),
    done: 200,
    ownRule: ({ kind, role }) => (kind === 'key' && role !== 'admin' ? 403 : null),
  },
  listPairingRequests: { ask: nothing, done: 200 },
  decidePairing: {
    ask: async (world) => ({ params: { id: await somebodyWaits(world) }, body: { decision: 'allow' } }),
    done: 204,
    ownRule: adminOnly(404),
  },
  listDevices: { ask: nothing, done: 200 },
  patchDevice: {
    ask: async (world) => ({ params: { id: await deviceId(world) }, body: { role: 'admin' } }),
    done: 200,
    ownRule: adminOnly(403),
  },
  revokeDevice: { ask: async (world) => ({ params: { id: await deviceId(world) } }), done: 204 },
  signOut: { ask: nothing, done: 204, ownRule: ({ kind }) => (kind === 'key' ? 409 : null) },
  listKeys: { ask: nothing, done: 200 },
  createKey: { ask: () => ({ body: { label: 'made', role: 'admin' } }), done: 201 },
  revokeKey: { ask: ({ auth }) => ({ params: { id: newKey(auth, 'viewer').id } }), done: 204 },
  listHosts: { ask: nothing, done: 200 },
  createHost: { ask: () => ({ body: { label: 'new', url: 'http://new.lan:8080' } }), done: 201 },
  testHost: { ask: () => ({ body: { url: 'http://new.lan:8080' } }), done: 200 },
  patchHost: { ask: (world) => ({ params: { hostId: newHost(world) }, body: { paused: true } }), done: 200 },
  deleteHost: { ask: (world) => ({ params: { hostId: newHost(world) } }), done: 204 },
  listModels: { ask: nothing, done: 200 },
  activity: { ask: () => ({ query: 'limit=1' }), done: 200 },
  capture: { ask: keptCapture, done: 200 },
  keptLogs: { ask: (world) => ({ query: `hostId=${newHost(world)}` }), done: 200 },
  activitySummary: { ask: () => ({ query: 'failed=true' }), done: 200 },
  performance: { ask: (world) => ({ query: `hostId=${newHost(world)}` }), done: 200 },
  performanceDay: {
    ask(world) {
      const hostId = newHost(world);
      sampled(world, hostId);
      return { query: `hostId=${hostId}&day=2026-11-30` };
    },
    done: 200,
  },
  segment: {
    ask({ world }) {
      const hash = 'a'.repeat(64);
      world.segments.set(hash, Uint8Array.of(1));
      return { params: { hash } };
    },
    done: 200,
  },
  createIntent: { ask: (world) => ({ body: loadOf(newHost(world)) }), done: 202 },
  getIntent: { ask: (world) => ({ params: { id: keptIntent(world) } }), done: 200 },
  cancelIntent: { ask: (world) => ({ params: { id: keptIntent(world, 'waiting') } }), done: 200 },
  noteIntent: {
    ask: (world) => ({
      params: { id: keptIntent(world, 'claimed', 'running', 'unknown') },
      body: { text: 'It runs.' },
    }),
    done: 200,
  },
  startDemo: { ask: nothing, done: 200 },
  stopDemo: { ask: nothing, done: 204 },
  firstRun: { ask: nothing, done: 200 },
};

const table = Object.entries<RouteContract>(routes).map(([name, contract]) => {
  const found = Object.entries(CASES).find(([key]) => key === name)?.[1];
  return { name, contract, found };
});

describe('who may do what', () => {
  it.each(table)(
    '$contract.method $contract.path needs $contract.access',
    async ({ name, contract, found }) => {
      const test = must(found, `a request for the route ${name}`);
      const world = await buildTestApp();
      const answers: Record<string, number> = {};
      const expected: Record<string, number> = {};
      const leaks: string[] = [];
      for (const caller of CALLERS) {
        const named = 'role' in caller ? `${caller.kind} ${caller.role}` : caller.kind;
        const headers = await credentials(world, caller);
        const { params = {}, query, body } = await test.ask(world);
        const before = everything(world);
        const path = contract.path.replaceAll(/:(\w+)/g, (_, param: string) => must(params[param], param));
        const reply = await world.app.inject({
          method: contract.method,
          url: query === undefined ? path : `${path}?${query}`,
          headers,
          ...(body ? { payload: body } : {}),
        });
        answers[named] = reply.statusCode;
        expected[named] = expectedStatus(contract, test, caller);
        if ([401, 403, 404].includes(reply.statusCode)) {
          const said = Object.keys(reply.json()).join();
          if (said !== 'error' || !isDeepStrictEqual(everything(world), before)) leaks.push(named);
        }
      }
      // Whoever is refused has changed nothing, and is told nothing but that.
      expect(leaks).toEqual([]);
      expect(answers).toEqual(expected);
    },
  );
});

describe('a viewer', () => {
  it('is given no route to change anything but its own session and to let in other viewers', () => {
    const changing = table
      .filter(({ contract }) => contract.method !== 'GET' && contract.access === 'viewer')
      .map(({ name }) => name);
    expect(changing).toEqual(['createPairingCode', 'decidePairing', 'patchDevice', 'signOut']);
  });
});

function expectedStatus(contract: RouteContract, test: Case, caller: Caller): number {
  if (caller.kind === 'foreign-page') return 403;
  if (contract.access === 'public') return test.done;
  if (!('role' in caller)) return 401;
  if (!roleAllows(caller.role, contract.access)) return 403;
  return test.ownRule?.(caller) ?? test.done;
}

async function credentials(world: TestApp, caller: Caller): Promise<Record<string, string>> {
  switch (caller.kind) {
    case 'nobody':
      return {};
    case 'revoked': {
      const cookie = await world.signIn('admin');
      world.truth.store.access.revokeDevice(newestDevice(world), world.clock.now());
      return { cookie };
    }
    case 'wrong-key':
      // A right cookie does not help beside a key that is wrong.
      return { cookie: await world.signIn('admin'), authorization: `Bearer drv_${'x'.repeat(43)}` };
    case 'foreign-page':
      return { cookie: await world.signIn('admin'), origin: 'https://elsewhere.example' };
    case 'device':
      return { cookie: await world.signIn(caller.role) };
    case 'key':
      return { authorization: `Bearer ${newKey(world.auth, caller.role).key}` };
  }
}

/** All that a request could change. */
function everything({ truth, hosts }: TestApp): unknown {
  const { access, audit, intents, settings } = truth.store;
  return {
    hosts: hosts.configs(),
    devices: access.devices().map(({ id, label, role, revokedAt }) => ({ id, label, role, revokedAt })),
    keys: access.keys().map(({ id, role, revokedAt }) => ({ id, role, revokedAt })),
    requests: access.openRequests(0),
    audit: audit.lastId(),
    intents: intents.ledgerIds(100).map((id) => intents.get(id)?.view),
    demo: settings.setting('demo'),
  };
}

function newKey(auth: TestApp['auth'], role: Role): { readonly id: string; readonly key: string } {
  return auth.createKey({ role, label: `a ${role}` }, CLI_ACTOR);
}

function newHost({ hosts }: TestApp): string {
  const id = `h-${randomUUID().slice(0, 8)}`;
  return hosts.create({ id, label: id, url: `http://${id}.lan:8080` }).id;
}

function newestDevice({ truth }: TestApp): string {
  return must(truth.store.access.devices().at(-1), 'a device').id;
}

async function deviceId(world: TestApp): Promise<string> {
  await world.signIn('viewer');
  return newestDevice(world);
}

/** Somebody typed a code that an admin's device made. */
async function somebodyWaits({ app, signIn, truth }: TestApp): Promise<string> {
  const headers = { cookie: await signIn('admin') };
  const made = await app.inject({
    method: 'POST',
    url: '/api/pairing-codes',
    headers,
    payload: { role: 'viewer' },
  });
  const { code } = made.json();
  await app.inject({ method: 'POST', url: '/api/pair', payload: { code, label: 'waits' } });
  return must(truth.store.access.openRequests(0).at(-1), 'a request').id;
}

function loadOf(hostId: string) {
  return { id: randomUUID(), kind: 'model.load', target: { hostId, modelId: 'coder' }, whenDown: 'wait' };
}

/** An intent in the ledger that got as far as these states. */
function keptIntent(world: TestApp, ...states: IntentState[]): string {
  const { intents } = world.truth.store;
  const request = intentRequest.parse(loadOf(newHost(world)));
  const now = world.clock.now();
  const author = { kind: 'device', id: 'somebody', label: 'somebody' } as const;
  const times = { createdAt: now, receivedAt: now, expiresAt: now + 300_000 };
  intents.insert(receivedView(request, author, times), request);
  let from: IntentState = 'received';
  for (const to of states) {
    intents.change(request.id, { from, to, at: now, by: 'x', code: null, reason: null, evidence: null });
    from = to;
  }
  return request.id;
}

/** A request whose capture somebody has opened before. */
function keptCapture({ truth, clock }: TestApp): Ask {
  const key = { hostId: 'box', idEpoch: 0, id: 7 };
  truth.store.activity.insert([requestRow(key)], clock.now());
  const nothing = { headers: null, body: { kind: 'none' } } as const;
  const content = { redactions: 0, request: nothing, response: nothing, answer: null };
  truth.store.captures.put(key, { fetchedAt: clock.now(), content }, 1_000_000);
  return { query: 'hostId=box&idEpoch=0&id=7' };
}

function sampled({ truth, clock }: TestApp, hostId: string): void {
  const system = storedOf(realisticSamples({ gpus: 0, ticks: 3, hostId, startAt: clock.now() })).system;
  truth.performance.take(hostId, { system, gpus: [], cursor: { newestAt: clock.now(), counters: null } });
  truth.performance.flush();
}
