import type { LlamaSwap } from '../llama-swap.ts';
import type { HttpExchange } from '../wire/http-exchange.ts';

/** A request that found its route. `rest` is what a pattern's `*` stood for, still percent-encoded. */
export interface RouteContext {
  readonly host: LlamaSwap;
  readonly exchange: HttpExchange;
  readonly rest: string;
}

/** A route of llama-swap. A pattern's final `*` stands for one or more characters. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'ANY';
  readonly pattern: string;
  /** False: open without a key. */
  readonly auth: boolean;
  /** The `*` stands for one path segment only. */
  readonly oneSegment?: boolean;
  readonly handle: (context: RouteContext) => void | Promise<void>;
}

/** The route for a path and method, or which methods the path has. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { readonly route: Route; readonly rest: string } | { readonly allow: readonly string[] } {
  const allow: string[] = [];
  for (const route of routes) {
    const rest = match(route, path);
    if (rest === null) continue;
    if (route.method === 'ANY' || route.method === method) return { route, rest };
    allow.push(route.method);
  }
  return { allow };
}

function match(route: Route, path: string): string | null {
  const { pattern } = route;
  if (!pattern.endsWith('*')) return path === pattern ? '' : null;
  const prefix = pattern.slice(0, -1);
  if (!path.startsWith(prefix) || path.length === prefix.length) return null;
  const rest = path.slice(prefix.length);
  return route.oneSegment && rest.includes('/') ? null : rest;
}
