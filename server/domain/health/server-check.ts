import { ageWords } from '#shared/lib/age-words.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { checkOf } from './check.ts';

/** Whether a server runs over the data directory, as seen from beside it. */
export type ServerFacts =
  | { readonly kind: 'answers'; readonly pid: number; readonly url: string; readonly startedAt: number }
  /** It holds the data directory; `url` null: it never came to listen. */
  | { readonly kind: 'silent'; readonly pid: number; readonly url: string | null; readonly problem: string }
  /** It listens, and wrote down no key to ask it with. */
  | { readonly kind: 'keyless'; readonly pid: number; readonly url: string }
  /** Whether one runs is not known: its files are closed to who asks. */
  | { readonly kind: 'unreadable'; readonly problem: string }
  | { readonly kind: 'down'; readonly address: string; readonly portTaken: boolean };

const SERVER = checkOf('server', 'Server');

/** Says whether the server runs; where it does not, everything else is from the files. */
export function serverCheck(facts: ServerFacts, now: number): HealthCheck {
  switch (facts.kind) {
    case 'answers':
      return SERVER.ok(
        `Process ${facts.pid} answers at ${facts.url}, running for ${ageWords(now - facts.startedAt)}.`,
      );
    case 'silent':
      return SERVER.fail({
        detail: `Process ${facts.pid} holds the data folder and does not answer${facts.url === null ? '' : ` at ${facts.url}`}: ${facts.problem}. What follows is from the files.`,
        remediation: `See its log. If it stays so, end it (kill ${facts.pid}) and start the server again.`,
      });
    case 'keyless':
      return SERVER.warn({
        detail: `Process ${facts.pid} listens at ${facts.url} and cannot be asked: drover.lock belongs to another user, so it wrote no key there. What follows is from the files.`,
        remediation:
          'Give the data folder to the user the server runs as (chown -R), and restart the server.',
      });
    case 'unreadable':
      return SERVER.fail({
        detail: `Whether it runs cannot be seen: ${facts.problem}. Nothing else was looked at.`,
        remediation: "Run it as the server's user, who owns the data folder.",
      });
    case 'down':
      return facts.portTaken
        ? SERVER.fail({
            detail: `Not running, and another program listens at ${facts.address}. What follows is from the files.`,
            remediation: 'Stop that program, or choose another port with --port.',
          })
        : SERVER.warn({
            detail: `Not running: nothing listens at ${facts.address}. What follows is from the files.`,
            remediation: 'Start it with "npm start".',
          });
  }
}
