import { isMap, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { droverYaml, type DroverYaml } from './domain/drover-yaml.ts';

/** A file that was read, or what is wrong with it, each problem with its line. */
export type DroverYamlResult =
  | {
      readonly ok: true;
      readonly value: DroverYaml;
      /** `line N: ` of a value, for problems that are found later; empty where the file does not have it. */
      readonly linePrefix: (path: readonly string[]) => string;
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the text of a `drover.yaml`. An empty file configures nothing. */
export function parseDroverYaml(text: string): DroverYamlResult {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true });
  const lineOf = (offset: number) => lineCounter.linePos(offset).line;
  if (document.errors.length > 0) {
    return {
      ok: false,
      problems: document.errors.map((error) => `line ${lineOf(error.pos[0])}: ${error.message}`),
    };
  }
  const parsed = droverYaml.safeParse(document.toJS({ maxAliasCount: 50 }) ?? {});
  if (!parsed.success) {
    return { ok: false, problems: parsed.error.issues.flatMap((issue) => describe(document, issue, lineOf)) };
  }
  const problems = duplicateHosts(document, parsed.data, lineOf);
  if (problems.length > 0) return { ok: false, problems };
  const linePrefix = (path: readonly string[]) => prefix(nodeOffset(document, path), lineOf);
  return { ok: true, value: parsed.data, linePrefix };
}

type LineOf = (offset: number) => number;

function describe(document: Document, issue: z.core.$ZodIssue, lineOf: LineOf): string[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const offset = keyOffset(document, path, key);
      const name = [...path, key].join('.');
      return `${prefix(offset, lineOf)}unknown key "${name}"`;
    });
  }
  return [`${prefix(nodeOffset(document, path), lineOf)}${path.join('.') || 'the file'}: ${issue.message}`];
}

function duplicateHosts(document: Document, value: DroverYaml, lineOf: LineOf): string[] {
  const seen = new Set<string>();
  return (value.hosts ?? []).flatMap((host, index) => {
    if (!seen.has(host.id)) {
      seen.add(host.id);
      return [];
    }
    const offset = nodeOffset(document, ['hosts', index, 'id']);
    return [`${prefix(offset, lineOf)}hosts.${index}.id: "${host.id}" is listed twice`];
  });
}

function prefix(offset: number | null, lineOf: LineOf): string {
  return offset === null ? '' : `line ${lineOf(offset)}: `;
}

/** Where the node at `path` begins; for a missing node, its nearest ancestor that is there. */
function nodeOffset(document: Document, path: readonly (string | number)[]): number | null {
  for (let length = path.length; length >= 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) {
      const offset: unknown = node.range[0];
      if (typeof offset === 'number') return offset;
    }
  }
  return null;
}

function keyOffset(document: Document, path: readonly (string | number)[], key: string): number | null {
  const map: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  if (!isMap(map)) return null;
  const pair = map.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
  return pair && isScalar(pair.key) && pair.key.range ? pair.key.range[0] : null;
}
