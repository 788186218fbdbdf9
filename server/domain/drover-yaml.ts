import { z } from 'zod';
import { describe } from 'zod/mini';
import { label } from '#shared/schemas/auth.ts';
import { hostUrl, keyRef } from '#shared/schemas/host-input.ts';
import { hostId } from '#shared/schemas/ids.ts';

const days = (fallback: number, meaning: string) =>
  z.number().int().min(1).max(36_500).default(fallback).describe(meaning);

/** How long history is kept. */
export const retention = z.strictObject({
  activityDays: days(365, 'days of requests'),
  perfRawHours: z
    .number()
    .int()
    .min(1)
    .max(24 * 365)
    .default(48)
    .describe('hours of full-resolution performance samples'),
  perfRollupDays: days(90, 'days of five-minute performance rollups'),
  modelEventDays: days(365, 'days of model state changes'),
});
/** See {@link retention}. */
export type Retention = z.infer<typeof retention>;

const pattern = z
  .string()
  .min(1)
  .max(200)
  .refine(isPattern, { error: 'is no regular expression' })
  .describe('regular expression; what matches is taken out of captures');

/** How much is kept of captures, and what is taken out of them besides what always is. */
export const captureSettings = z
  .strictObject({
    maxCaptureKb: z.number().int().min(16).max(4096).default(256).describe('KB kept of one capture'),
    maxTotalMb: z
      .number()
      .int()
      .min(1)
      .max(10_000)
      .default(50)
      .describe('MB kept of all; those opened longest ago go first'),
    redact: z.array(pattern).max(50).default([]),
  })
  .check(({ value, issues }) => {
    const leastMb = Math.ceil(value.maxCaptureKb / 1024);
    // With less room a capture would be given up as soon as it is kept.
    if (value.maxTotalMb < leastMb)
      issues.push({
        code: 'custom',
        path: ['maxTotalMb'],
        input: value.maxTotalMb,
        message: `is less than one capture of maxCaptureKb takes: give it ${leastMb} or more`,
      });
  });
/** See {@link captureSettings}. */
export type CaptureSettings = z.infer<typeof captureSettings>;

/** How much of the hosts' logs is kept on disk. */
export const logSettings = z.strictObject({
  keepMb: z
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(0)
    .describe('MB of log lines kept on disk, of all hosts together; 0 keeps none'),
});
/** See {@link logSettings}. */
export type LogSettings = z.infer<typeof logSettings>;

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'gu').global;
  } catch {
    return false;
  }
}

/** A host that the file configures; it is read-only over HTTP. */
export const fileHost = z.strictObject({
  id: hostId.check(describe('1 to 32 of a-z, 0-9 and -')),
  label: z.optional(label).describe('name shown; the id when left out'),
  url: hostUrl.check(describe('base address of a llama-swap, such as http://box.lan:8080')),
  keyRef: z.optional(keyRef).describe('the key to send, by reference: env:NAME'),
});
/** See {@link fileHost}. */
export type FileHost = z.infer<typeof fileHost>;

/** The whole of `drover.yaml`. Unknown keys are refused, so that a misspelt one is not silently without effect. */
export const droverYaml = z.strictObject({
  server: z
    .strictObject({
      host: z.string().optional().describe('address to listen on'),
      port: z
        .number()
        .int()
        .min(0)
        .max(65_535)
        .optional()
        .describe('port to listen on; 0 takes any free one'),
      publicUrl: z.string().optional().describe('address people use, behind a proxy'),
      trustProxy: z
        .union([z.boolean(), z.string()])
        .optional()
        .describe('true, or the addresses of trusted proxies'),
      tlsCert: z.string().optional().describe('certificate chain, PEM file'),
      tlsKey: z.string().optional().describe('private key, PEM file'),
    })
    .optional(),
  hosts: z.array(fileHost).max(1000).optional(),
  retention: retention.optional(),
  captures: captureSettings.optional(),
  logs: logSettings.optional(),
});
/** See {@link droverYaml}. */
export type DroverYaml = z.infer<typeof droverYaml>;
