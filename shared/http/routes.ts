import * as z from 'zod/mini';
import { activityPage, activityQuery, activitySummary, activitySummaryQuery } from '../schemas/activity.ts';
import { apiKey, apiKeyCreate, device, devicePatch, listedDevice } from '../schemas/auth.ts';
import {
  pairingCodeCreate,
  pairingCodeIssued,
  pairingDecision,
  pairingRequest,
  pairingWait,
  pairPoll,
  pairRequest,
} from '../schemas/pairing.ts';
import { host } from '../schemas/host.ts';
import { hostCreate, hostPatch, hostTest, hostTestResult } from '../schemas/host-input.ts';
import { contentHash, hostId } from '../schemas/ids.ts';
import { capture, captureQuery } from '../schemas/capture.ts';
import { health, info } from '../schemas/info.ts';
import { intentId, intentState, intentView } from '../schemas/intent.ts';
import { intentNoteCreate, intentRequest } from '../schemas/intent-request.ts';
import { keptLogsPage, keptLogsQuery } from '../schemas/log.ts';
import { model } from '../schemas/model.ts';
import { performanceAnswer, performanceDayQuery, performanceQuery } from '../schemas/performance.ts';
import { defineRoute } from './define-route.ts';

const hostParams = z.object({ hostId });
const rowParams = z.object({ id: z.string().check(z.maxLength(64)) });
const paired = z.object({ device });

/** Every HTTP route of the API, by name. `server/routes` mounts all of them; a test fails when one is missing. */
export const routes = {
  info: defineRoute({ method: 'GET', path: '/api/info', access: 'public', replies: { 200: info } }),
  health: defineRoute({ method: 'GET', path: '/api/health', access: 'public', replies: { 200: health } }),
  pair: defineRoute({
    method: 'POST',
    path: '/api/pair',
    access: 'public',
    body: pairRequest,
    replies: { 200: paired, 202: pairingWait },
  }),
  pollPairing: defineRoute({
    method: 'POST',
    path: '/api/pair/poll',
    access: 'public',
    body: pairPoll,
    replies: { 200: paired, 202: pairingWait },
  }),
  createPairingCode: defineRoute({
    method: 'POST',
    path: '/api/pairing-codes',
    access: 'viewer',
    body: pairingCodeCreate,
    replies: { 200: pairingCodeIssued },
  }),
  listPairingRequests: defineRoute({
    method: 'GET',
    path: '/api/pairing-requests',
    access: 'viewer',
    replies: { 200: z.object({ requests: z.array(pairingRequest) }) },
  }),
  decidePairing: defineRoute({
    method: 'POST',
    path: '/api/pairing-requests/:id',
    access: 'viewer',
    params: rowParams,
    body: pairingDecision,
    replies: { 204: null },
  }),
  listDevices: defineRoute({
    method: 'GET',
    path: '/api/devices',
    access: 'viewer',
    replies: { 200: z.object({ devices: z.array(listedDevice) }) },
  }),
  patchDevice: defineRoute({
    method: 'PATCH',
    path: '/api/devices/:id',
    access: 'viewer',
    params: rowParams,
    body: devicePatch,
    replies: { 200: listedDevice },
  }),
  revokeDevice: defineRoute({
    method: 'DELETE',
    path: '/api/devices/:id',
    access: 'admin',
    params: rowParams,
    replies: { 204: null },
  }),
  signOut: defineRoute({ method: 'POST', path: '/api/sign-out', access: 'viewer', replies: { 204: null } }),
  listKeys: defineRoute({
    method: 'GET',
    path: '/api/keys',
    access: 'admin',
    replies: { 200: z.object({ keys: z.array(apiKey) }) },
  }),
  createKey: defineRoute({
    method: 'POST',
    path: '/api/keys',
    access: 'admin',
    body: apiKeyCreate,
    replies: { 201: z.extend(apiKey, { key: z.string() }) },
  }),
  revokeKey: defineRoute({
    method: 'DELETE',
    path: '/api/keys/:id',
    access: 'admin',
    params: rowParams,
    replies: { 204: null },
  }),
  listHosts: defineRoute({
    method: 'GET',
    path: '/api/hosts',
    access: 'viewer',
    replies: { 200: z.object({ hosts: z.array(host) }) },
  }),
  createHost: defineRoute({
    method: 'POST',
    path: '/api/hosts',
    access: 'admin',
    body: hostCreate,
    replies: { 201: host },
  }),
  testHost: defineRoute({
    method: 'POST',
    path: '/api/hosts/test',
    access: 'admin',
    body: hostTest,
    replies: { 200: hostTestResult },
  }),
  patchHost: defineRoute({
    method: 'PATCH',
    path: '/api/hosts/:hostId',
    access: 'admin',
    params: hostParams,
    body: hostPatch,
    replies: { 200: host },
  }),
  deleteHost: defineRoute({
    method: 'DELETE',
    path: '/api/hosts/:hostId',
    access: 'admin',
    params: hostParams,
    replies: { 204: null },
  }),
  listModels: defineRoute({
    method: 'GET',
    path: '/api/models',
    access: 'viewer',
    query: z.strictObject({ hostId: z.optional(hostId) }),
    replies: { 200: z.object({ models: z.array(model) }) },
  }),
  activity: defineRoute({
    method: 'GET',
    path: '/api/activity',
    access: 'viewer',
    query: activityQuery,
    replies: { 200: activityPage },
  }),
  /** Prompts and answers: what a fleet does is for viewers, what is said in it is not. */
  capture: defineRoute({
    method: 'GET',
    path: '/api/captures',
    access: 'operator',
    query: captureQuery,
    replies: { 200: capture },
  }),
  /** Lines of a host's log that the collector keeps, where it was told to. */
  keptLogs: defineRoute({
    method: 'GET',
    path: '/api/logs',
    access: 'operator',
    query: keptLogsQuery,
    replies: { 200: keptLogsPage },
  }),
  activitySummary: defineRoute({
    method: 'GET',
    path: '/api/activity/summary',
    access: 'viewer',
    query: activitySummaryQuery,
    replies: { 200: activitySummary },
  }),
  performance: defineRoute({
    method: 'GET',
    path: '/api/performance',
    access: 'viewer',
    query: performanceQuery,
    replies: { 200: performanceAnswer },
  }),
  /** Every sample of a host and day, as a `perf-raw` segment. */
  performanceDay: defineRoute({
    method: 'GET',
    path: '/api/performance/day',
    access: 'viewer',
    query: performanceDayQuery,
    replies: { 200: 'bytes' },
  }),
  segment: defineRoute({
    method: 'GET',
    path: '/api/segments/:hash',
    access: 'viewer',
    params: z.object({ hash: contentHash }),
    replies: { 200: 'bytes' },
  }),
  createIntent: defineRoute({
    method: 'POST',
    path: '/api/intents',
    access: 'operator',
    body: intentRequest,
    replies: {
      /** The same id of the same identity again. */
      200: z.object({ id: intentId, state: intentState }),
      202: z.object({ id: intentId, state: intentState }),
    },
  }),
  getIntent: defineRoute({
    method: 'GET',
    path: '/api/intents/:id',
    access: 'viewer',
    params: z.object({ id: intentId }),
    replies: { 200: intentView },
  }),
  cancelIntent: defineRoute({
    method: 'POST',
    path: '/api/intents/:id/cancel',
    access: 'operator',
    params: z.object({ id: intentId }),
    replies: { 200: intentView },
  }),
  noteIntent: defineRoute({
    method: 'POST',
    path: '/api/intents/:id/note',
    access: 'operator',
    params: z.object({ id: intentId }),
    body: intentNoteCreate,
    replies: { 200: intentView },
  }),
  startDemo: defineRoute({
    method: 'POST',
    path: '/api/demo',
    access: 'admin',
    replies: { 200: z.object({ hosts: z.array(hostId) }) },
  }),
  stopDemo: defineRoute({ method: 'DELETE', path: '/api/demo', access: 'admin', replies: { 204: null } }),
  firstRun: defineRoute({
    method: 'GET',
    path: '/api/first-run',
    access: 'admin',
    replies: {
      200: z.object({
        /** A llama-swap that answers the collector on localhost:8080; null when none does or it is a host already. */
        found: z.nullable(z.object({ url: z.string(), version: z.nullable(z.string()) })),
        /** The address a phone would use and its QR code as SVG; null when the server listens on loopback only. */
        phone: z.nullable(z.object({ url: z.string(), qrSvg: z.string(), secure: z.boolean() })),
        port: z.int(),
      }),
    },
  }),
} as const;
